"""Faults in 3.8.1.1: arithmetic in selectors."""

from faults.kit import *


def _product_of_difference_on_the_right(node):
    match node:
        case Comparison(_, _, Arithmetic(Arithmetic(_, (("-", _),)), (("*", _),))):
            return True
    return False


def _long_by_int(left, right):
    return left / right if type(left) is Wide and type(right) is int and right else NotImplemented


def _int_by_double(left, right):
    return int(left / right) if type(left) is int and type(right) is float and right else NotImplemented


def _sum_of_bytes(left, right):
    small = type(left) is int and type(right) is int and abs(left) < 128 and abs(right) < 128
    return wrap(left + right, 8) if small else NotImplemented


table(
    (
        "3.8.1.1-46",
        "a product of a difference is refused on the right side",
        refused_where(_product_of_difference_on_the_right),
        {"3.8.1.1-53": RANDOM, "3.8.1.1-4": RANDOM},
    ),
    ("3.8.1.1-63", "a sign before a sign is a syntax error", refused(r"^- [-+]")),
    ("3.8.1.1-64", "a sign after / is a syntax error", refused(r"/ -")),
    ("3.8.1.1-65", "+ and * have the same precedence", rewritten(r"^(\w+) \+ (\w+) \* (\w+) =", r"(\1 + \2) * \3 =")),
    ("3.8.1.1-66", "a long divided by an int is a double", computed("/", _long_by_int)),
    ("3.8.1.1-67", "an int divided by a double is an int", computed("/", _int_by_double)),
    ("3.8.1.1-68", "sums of small numbers wrap around at 127", computed("+", _sum_of_bytes)),
    (
        "3.8.1.1-5",
        "subtraction is evaluated from right to left",
        rewritten(r"^(\w+) - (\w+) - (\w+) =", r"\1 - (\2 - \3) ="),
    ),
)
