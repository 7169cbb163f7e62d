"""Faults in 10.3: resources that cannot be allocated."""

from faults.kit import *


@saboteur("10.3-44", "ConnectionFactory.createConnection() beyond the limit raises a plain JMSException")
def _(patch):
    of, wrong = ResourceAllocationException, JMSException
    raising_instead(patch, ReferenceConnectionFactory, "create_connection", of, wrong)


@saboteur(
    "10.3-45",
    "a context beyond the limit is refused with a plain JMSRuntimeException",
    at=fault_points.EXCEPTION_TRANSLATED,
)
def _(original, error):
    made = original(error)
    return JMSRuntimeException(str(error)) if isinstance(made, ResourceAllocationRuntimeException) else made
