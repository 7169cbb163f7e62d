"""Plans of load, each a case of the suite.

test_plans   the test; its points and its case are `tck.suite.support.plans`
"""
