"""The vocabulary of the suite's tests: `asserts`, the `case` and its links, and `expect`.

A test imports from here and from `tck.api`, and nothing else. This package must not know pytest's internals
(the plugin glues the two) nor any provider.
"""

from tck.suite.support import expect
from tck.suite.support.asserts import asserts
from tck.suite.support.case import Case

__all__ = ["Case", "asserts", "expect"]
