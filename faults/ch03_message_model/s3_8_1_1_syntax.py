"""Faults in 3.8.1.1: malformed selectors, and when they are refused."""

from faults.kit import *

table(
    ("3.8.1.1-99", "two = in a row are accepted when the selector is presented", rewritten(r"= = 1$", "= 1")),
    ("3.8.1.1-104", "the parser stops after the first complete condition", rewritten(r"^(n = 1) n = 2$", r"\1")),
    (
        "3.8.1.1-105",
        "!=, comments, NULL as a name and literals left of LIKE and IS NULL are accepted",
        each_rewritten(
            (r"!=", "<>"),
            (r"(?<=^n = 1) (?:/\*.*\*/|-- .*)$", ""),
            (r"\bNULL =", "NULL_ ="),
            (r"'\w+' LIKE", "literal LIKE"),
            (r"^\d+ IS NULL", "FALSE"),
        ),
    ),
)


def _unchecked(patch, owner, name):
    """Ignore a malformed selector in one method that takes a destination and a selector."""
    original = getattr(owner, name)

    def created(self, destination, *selector):
        try:
            return original(self, destination, *selector)
        except InvalidSelectorException:
            return original(self, destination)

    patch.replace(owner, name, created)


@saboteur(
    "3.8.1.1-100",
    "a context reports a malformed selector with a plain JMSRuntimeException",
    at=fault_points.EXCEPTION_TRANSLATED,
)
def _(original, error):
    if isinstance(error, InvalidSelectorException):
        return JMSRuntimeException(error.reason, error.error_code, error)
    return original(error)


saboteur(
    "3.8.1.1-101",
    "createBrowser ignores a malformed selector",
    lambda patch: _unchecked(patch, ReferenceSession, "create_browser"),
    collateral={"3.8.1.1-100": "contexts create browsers too"},
)
saboteur(
    "3.8.1.1-103",
    "createReceiver ignores a malformed selector",
    lambda patch: _unchecked(patch, ReferenceQueueSession, "create_receiver"),
)


@saboteur(
    "3.8.1.1-102", "a durable subscription is stored before its selector is parsed", at=fault_points.SUBSCRIPTION_STORED
)
def _(original, factory, topic, key, selector, no_local, *, shared):
    try:
        return original(factory, topic, key, selector, no_local, shared=shared)
    except InvalidSelectorException:
        factory.close(original(factory, topic, key, None, no_local, shared=shared))
        raise
