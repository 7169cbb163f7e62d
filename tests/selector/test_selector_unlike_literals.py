"""Comparisons whose types are known from the text: unlike ones make a selector invalid, by each operator alike."""

import itertools

import pytest

from reference_provider.selector import compile_selector
from tck.api import InvalidSelectorException

OF_TYPE = {
    "boolean": ["TRUE", "false", "(TRUE)"],
    "number": ["0", "-1.5", "a + 1", "-a", "(2)"],
    "string": ["'0'", "('TRUE')"],
}
UNLIKE = [
    (left, operator, right)
    for one, other in itertools.permutations(OF_TYPE, 2)
    for left, right in itertools.product(OF_TYPE[one], OF_TYPE[other])
    for operator in ("=", "<>", "<", ">", "<=", ">=")
]


def test_unlike_types_are_refused_by_each_operator():
    for left, operator, right in UNLIKE:
        with pytest.raises(InvalidSelectorException, match=r"one type|takes numbers"):
            compile_selector(f"n = 1 OR {left} {operator} {right}", "3.1")


@pytest.mark.parametrize("operator", ["=", "<>"])
def test_like_types_and_identifiers_are_accepted(operator):
    for values in OF_TYPE.values():
        for left, right in itertools.product([*values, "a"], repeat=2):
            compile_selector(f"{left} {operator} {right}", "3.1")
