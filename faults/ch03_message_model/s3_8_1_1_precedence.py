"""Faults in 3.8.1.1: precedence, parentheses and spelling of operators."""

from faults.kit import *

table(
    ("3.8.1.1-6", "parentheses around OR are ignored", rewritten(r"^\((\w+) OR (\w+)\) AND", r"\1 OR \2 AND")),
    ("3.8.1.1-7", "parentheses nested more than ten deep are refused", refused(r"\({11}")),
    (
        "3.8.1.1-8",
        "operators that begin with a small letter followed by a capital are a syntax error",
        refused(r"\b(?:bE|eS)\w+"),
    ),
    ("3.8.1.1-9", "true in lower case is the name of a property", rewritten(r"(\w) = true$", r"\1 = true_")),
    ("3.8.1.1-48", "NOT negates everything that follows", rewritten(r"^NOT (\w+) AND (\w+)$", r"NOT (\1 AND \2)")),
    (
        "3.8.1.1-49",
        "AND and OR have the same precedence",
        rewritten(r"^(\w+) OR (\w+) AND (\w+)$", r"(\1 OR \2) AND \3"),
    ),
    ("3.8.1.1-47", "a property alone in parentheses is a syntax error", refused(r"^\(\w+\)$")),
    (
        "3.8.1.1-4",
        "a chain of more than two ANDs is a syntax error",
        refused(r"'\w+' AND \w+ = '\w+' AND"),
        {"3.8.1.1-48": "its selectors chain more than two ANDs"},
    ),
)
