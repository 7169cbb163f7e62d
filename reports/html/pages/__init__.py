"""The pages of the HTML reports: each function makes the content of one page, or of one kind of page; templates draw it."""
