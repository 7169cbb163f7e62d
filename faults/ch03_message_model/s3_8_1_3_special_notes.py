"""Faults in 3.8.1.3: delivery modes, times, decimal points and comments in selectors."""

from decimal import Decimal

from faults.kit import *

MODES = {"1": "NON_PERSISTENT", "2": "PERSISTENT"}


def _thirteen_digits_as_int(walker, node):
    value = node.value
    return Wide(wrap(value, 32)) if isinstance(value, Wide) and 10**12 <= value < 10**13 else NotImplemented


def _decimal_sum(walker, node):
    match node:
        case Arithmetic(NumberLiteral(float() as first), (("+", NumberLiteral(float() as second)),)):
            return float(Decimal(repr(first)) + Decimal(repr(second)))
    return NotImplemented


table(
    ("3.8.1.3-1", "LIKE on JMSDeliveryMode is false", rewritten(r"JMSDeliveryMode LIKE '\w+%'", "FALSE")),
    (
        "3.8.1.3-2",
        "JMSDeliveryMode equals both its name and its number",
        rewritten(r"JMSDeliveryMode = ([12])", lambda match: f"JMSDeliveryMode = '{MODES[match[1]]}'"),
    ),
    (
        "3.8.1.3-3",
        "literals of thirteen digits overflow to int",
        walked(literal=_thirteen_digits_as_int),
        {"3.8.1.1-37": "a time of today has thirteen digits"},
    ),
    ("3.8.1.3-4", "sums of fractions are computed as decimals", walked(arithmetic=_decimal_sum)),
)
