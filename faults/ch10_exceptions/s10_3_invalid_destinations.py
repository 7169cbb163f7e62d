"""Faults in 10.3: destinations that a provider does not understand."""

from faults.kit import *


def _cast(destination):
    """Raise as a cast of Java does, for a destination of another implementation."""
    if destination is not OMITTED and destination is not None and not isinstance(destination, ReferenceDestination):
        raise JavaException(f"java.lang.ClassCastException: {type(destination).__name__}")


@saboteur(
    "10.3-21",
    "a send to a destination of another implementation raises ClassCastException",
    around=(ReferenceProducer, "send"),
)
def _(original, producer, message, **options):
    _cast(options.get("destination"))
    original(producer, message, **options)


@saboteur(
    "10.3-22",
    "JMSContext.createConsumer of a destination of another implementation raises ClassCastException",
    around=(ReferenceContext, "create_consumer"),
)
def _(original, context, destination, *others):
    _cast(destination)
    return original(context, destination, *others)
