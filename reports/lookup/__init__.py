"""Ask what the specification says of a situation and what the reference provider does in it: search, and the whole answer.

`index` finds rows by words, `answer` gathers what is known of one, `told` puts that into text and JSON. Works from the
catalogue and bundles alone. May import `tck.catalogue`, `tck.record` and the other modules of `reports`.
"""
