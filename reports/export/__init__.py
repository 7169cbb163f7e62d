"""A run for other programs and for the terminal: JUnit XML, JSON, Markdown, a badge, Allure results, text.

Each writer takes an open bundle, a target and the catalogue, and knows nothing of the others.
"""
