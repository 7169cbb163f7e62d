"""Faults in 10.2: descriptions, error codes and causes that are lost."""

from faults.kit import *


@saboteur("10.2-5", "exceptions of the simplified interface have a null message", at=fault_points.EXCEPTION_TRANSLATED)
def _(original, error):
    made = original(error)
    return type(made)(None, made.error_code, error)


@saboteur(
    "10.2-6",
    "InvalidClientIDException and its runtime form lose the error code that they are made with",
    around=(ReferenceProvider, "new_exception"),
)
def _(original, self, kind, reason, *others):
    forgetful = issubclass(kind, (InvalidClientIDException, InvalidClientIDRuntimeException))
    return original(self, kind, reason, *(() if forgetful else others))


@saboteur(
    "10.2-7",
    "a call on a session whose link is lost raises an exception without the network's own one",
    at=fault_points.SESSION_CHECKED,
)
def _(original, session):
    try:
        original(session)
    except JMSException as error:
        raise type(error)(error.reason, error.error_code) from None
