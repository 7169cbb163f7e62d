"""Faults in 3.8.1.1: LIKE."""

import re

from faults.kit import *


def _point_matches_anything(pattern, text):
    return re.fullmatch(regex_of(pattern).replace(r"\.", "."), text, re.DOTALL) is not None


def _plain(node):
    """Return whether a pattern has characters, no wildcard and no escape."""
    return bool(node.pattern) and node.escape is None and not set(node.pattern) & set("%_")


def _escaped_once(pattern, text):
    first, second, third = pattern.split("!", 2)
    return is_like(f"{first}!{second}{third}", text, "!")


def _number_as_text(walker, node):
    value = walker.operand(node.identifier)
    return is_like(node.pattern, str(value), node.escape) if type(value) is int else NotImplemented


table(
    (
        "3.8.1.1-82",
        "% at the beginning matches one character at least",
        liked(lambda node: node.pattern.startswith("%"), lambda pattern, text: is_like("_" + pattern, text)),
        dict.fromkeys(("3.8.1.1-4", "3.8.1.1-53", "3.8.1.1-57"), RANDOM),
    ),
    (
        "3.8.1.1-83",
        "_ alone also matches the empty text",
        liked(lambda node: node.pattern == "_", lambda pattern, text: len(text) <= 1),
    ),
    (
        "3.8.1.1-84",
        "a point in a pattern matches any character",
        liked(lambda node: "." in node.pattern and node.escape is None, _point_matches_anything),
    ),
    (
        "3.8.1.1-85",
        "a pattern without wildcards matches anywhere in the text",
        liked(_plain, lambda pattern, text: pattern in text),
        {"3.8.1.1-84": "its selectors hold such a condition too"},
    ),
    (
        "3.8.1.1-86",
        "a backslash escapes without ESCAPE",
        liked(
            lambda node: "\\" in node.pattern and node.escape is None,
            lambda pattern, text: is_like(pattern, text, "\\"),
        ),
    ),
    (
        "3.8.1.1-87",
        "wildcards stop at line ends",
        liked(
            lambda node: node.escape is None, lambda pattern, text: re.fullmatch(regex_of(pattern), text) is not None
        ),
    ),
    (
        "3.8.1.1-88",
        "NOT before LIKE is ignored for patterns with % in the middle",
        negated(
            lambda node: isinstance(node, Like) and node.escape is None and "%" in node.pattern[1:-1],
            lambda walker, node: walker.like(node),
        ),
    ),
    (
        "3.8.1.1-89",
        "ESCAPE works for the first wildcard only",
        liked(lambda node: node.escape == "!" and node.pattern.count("!") == 2, _escaped_once),
    ),
    (
        "3.8.1.1-90",
        "ESCAPE accepts a backslash and an exclamation mark only",
        refused_where(lambda node: isinstance(node, Like) and node.escape not in (None, "\\", "!")),
    ),
    ("3.8.1.1-91", "ESCAPE cuts a longer text to one character", rewritten(r"ESCAPE '(\w)\w+'", r"ESCAPE '\1'")),
    (
        "3.8.1.1-92",
        "NOT LIKE '%' on a missing property is true",
        negated(
            lambda node: isinstance(node, Like) and node.pattern == "%", lambda walker, node: walker.like(node) is None
        ),
    ),
    ("3.8.1.1-93", "LIKE matches whole numbers as text", walked(like=_number_as_text)),
    ("3.8.1.1-94", "LIKE accepts a name as pattern", rewritten(r"LIKE other", "LIKE 'other'")),
)
