"""Faults in 7.4: delivery options of a producer and of a send."""

from dataclasses import replace

from faults.kit import *

VALUES = "the case sends each mode with each priority"
LATER = "the case makes the same observation on asynchronous sends"


def _own(patch, change):
    """Change the options of sends that give none."""
    _change(patch, change, given=False)


def _given(patch, change):
    """Change the options of sends that give them."""
    _change(patch, change, given=True)


def _change(patch, change, *, given):
    original = ReferenceProducer.options

    def options(self, delivery_mode, priority, time_to_live):
        result = original(self, delivery_mode, priority, time_to_live)
        return change(self, result) if (delivery_mode is not OMITTED) is given else result

    patch.replace(ReferenceProducer, "options", options)


saboteur(
    "7.4-1",
    "a producer keeps its first delivery mode after a change",
    lambda patch: _keep(patch, "delivery_mode"),
    collateral={"7.4-9": LATER, "7.4-12": VALUES},
)


def _keep(patch, name):
    """Send with the first value of an option that is not the default."""
    first = {}

    def change(producer, options):
        value = getattr(options, name)
        kept = first.setdefault(id(producer), (producer, value))
        return replace(options, **{name: kept[1]})

    _own(patch, change)


saboteur(
    "7.4-2",
    "a producer with priority 3 sends with the default priority",
    lambda patch: _own(patch, lambda _, options: replace(options, priority=4) if options.priority == 3 else options),
    collateral={"7.4-12": VALUES},
)


saboteur(
    "7.4-3",
    "a producer keeps its first time-to-live after a change",
    lambda patch: _keep(patch, "time_to_live"),
    collateral={"7.4-9": LATER},
)
saboteur(
    "7.4-5",
    "a send cannot override the delivery mode of the producer",
    lambda patch: _given(patch, lambda producer, options: replace(options, delivery_mode=producer.delivery_mode)),
    collateral={"7.4-9": LATER, "7.4-12": VALUES},
)


@saboteur("7.4-6", "a send with the default priority gets the producer's", collateral={"7.4-9": LATER}, by=_given)
def _(producer, options):
    return replace(options, priority=producer.priority) if options.priority == Message.DEFAULT_PRIORITY else options


@saboteur("7.4-7", "a send with time-to-live 0 gets the producer's", collateral={"7.4-9": LATER}, by=_given)
def _(producer, options):
    return options if options.time_to_live else replace(options, time_to_live=producer.time_to_live)


@saboteur("7.4-8", "the priority of a send becomes the producer's", collateral={"7.4-9": LATER}, by=_given)
def _(producer, options):
    producer.priority = options.priority
    return options


@saboteur("7.4-11", "the getter of the priority returns the default after a change to 0")
def _(patch):
    original = ReferenceProducer.priority
    patch.replace(
        ReferenceProducer,
        "priority",
        property(lambda self: original.fget(self) or Message.DEFAULT_PRIORITY, original.fset),
    )
