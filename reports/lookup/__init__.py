"""Look up a situation: the rule in the specification, and the behaviour of the reference provider.

`query` reads the question, `index` finds rows by words, `answer` collects the facts about a row, `render` writes them as text
or JSON. Needs only the catalogue and bundles. May import `tck.catalogue`, `tck.record` and the other modules of `reports`.
"""
