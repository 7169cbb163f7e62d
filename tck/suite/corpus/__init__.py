"""The corpus: programs with stored outcomes, each a case of the suite.

programs/, expected/, index.csv   the data, written by `python -m benchmarks strength corpus`
test_corpus                       the test; its points and its case are `tck.suite.support.corpus`
"""
