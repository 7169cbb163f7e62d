"""The conformance suite: one test file per section of the specification, and the vocabulary they share.

Nothing imports the tests; pytest collects them. The plugin imports `tck.suite.support` alone.
"""
