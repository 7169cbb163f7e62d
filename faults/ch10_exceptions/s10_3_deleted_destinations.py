"""Faults in 10.3: exceptions of deleted destinations."""

from faults.kit import *


@saboteur(
    "10.3-24",
    "JMSContext.createConsumer on a deleted destination raises a plain JMSRuntimeException",
    collateral={"10.3-22": "a case of it meets the fault under a condition that varies"},
)
def _(patch):
    original = ReferenceContext.create_consumer

    def create_consumer(self, *arguments):
        try:
            return original(self, *arguments)
        except InvalidDestinationRuntimeException as error:
            raise JMSRuntimeException(str(error)) from error

    patch.replace(ReferenceContext, "create_consumer", create_consumer)
