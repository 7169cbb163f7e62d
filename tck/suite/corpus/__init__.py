"""The corpus: programs with stored outcomes, each a case of the suite.

programs/, expected/, index.csv   the data, written by `python -m benchmarks strength corpus`
cases                             the points, and the case
test_corpus                       the test
"""
