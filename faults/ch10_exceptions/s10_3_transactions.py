"""Faults in 10.3: transactions in progress, and transactions that were rolled back."""

from faults.kit import *

saboteur(
    "10.3-46",
    "commit() of a session in a branch returns normally and does nothing",
    lambda patch: patch.replace(ReferenceXASession, "commit", lambda self: self.check_open()),
)
saboteur(
    "10.3-47",
    "commit() of a context in a branch raises a plain JMSRuntimeException",
    lambda patch: raising_instead(
        patch, ReferenceXAContext, "commit", TransactionInProgressRuntimeException, JMSRuntimeException
    ),
)


@saboteur("10.3-48", "Session.commit() that ends in a rollback raises a plain JMSException", at=fault_points.COMMIT)
def _(original, session):
    try:
        original(session)
    except TransactionRolledBackException as error:
        raise JMSException(str(error), error.error_code) from error


@saboteur("10.3-49", "commit() of a context that ends in a rollback raises TransactionInProgressRuntimeException")
def _(patch):
    of, wrong = TransactionRolledBackRuntimeException, TransactionInProgressRuntimeException
    raising_instead(patch, ReferenceContext, "commit", of, wrong)
