"""Faults in 2.3: administered objects."""

from faults.kit import *


@saboteur(
    "2.3-1",
    "createConnection fails until a vendor's setter has been called on the factory",
    at=fault_points.CONNECTION_OPENED,
)
def _(original, factory, *arguments):
    raise JMSException("call set_broker_address first")
