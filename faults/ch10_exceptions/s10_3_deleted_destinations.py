"""Faults in 10.3: exceptions of deleted destinations."""

from faults.kit import *


@saboteur(
    "10.3-24",
    "JMSContext.createConsumer on a deleted destination raises a plain JMSRuntimeException",
    collateral={"10.3-22": "a case of it meets the fault under a condition that varies"},
    around=(ReferenceContext, "create_consumer"),
)
def _(original, self, *arguments):
    try:
        return original(self, *arguments)
    except InvalidDestinationRuntimeException as error:
        raise JMSRuntimeException(str(error)) from error
