"""Faults in 7.10: JMSProducers that are not light."""

from collections import Counter

from faults.kit import *


@saboteur("7.10-5", "a context has at most ten thousand JMSProducers")
def _(patch):
    made = Counter[ReferenceContext]()

    def create_producer(original, context):
        made[context] += 1
        if made[context] > 10_000:
            raise JMSRuntimeException("too many producers")
        return original(context)

    patch.around(ReferenceContext, "create_producer", create_producer)
