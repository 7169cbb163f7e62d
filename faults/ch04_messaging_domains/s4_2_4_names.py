"""Faults in 4.2.4: names of subscriptions."""

from faults.kit import *


def _refuse_names(patch, refused):

    def checked_name(original, name):
        checked = original(name)
        if refused(checked):
            raise JMSException(f"no subscription can be named {checked!r}")
        return checked

    patch.at(fault_points.SUBSCRIPTION_NAMED, checked_name)


saboteur(
    "4.2.4-1",
    "subscription names cannot have letters beyond ASCII",
    lambda patch: _refuse_names(patch, lambda name: not name.isascii()),
    collateral={"4.2.4-2": "one of its names is a digit beyond ASCII"},
)
saboteur(
    "4.2.4-2",
    "subscription names cannot begin with a digit",
    lambda patch: _refuse_names(patch, lambda name: name[0].isdigit()),
)
saboteur(
    "4.2.4-3",
    "subscription names cannot have underscores",
    lambda patch: _refuse_names(patch, lambda name: "_" in name),
)
saboteur("4.2.4-4", "subscription names cannot have dots", lambda patch: _refuse_names(patch, lambda name: "." in name))
saboteur(
    "4.2.4-5",
    "subscription names cannot have minus signs",
    lambda patch: _refuse_names(patch, lambda name: "-" in name),
)
saboteur(
    "4.2.4-7",
    "subscription names cannot be longer than 64 characters",
    lambda patch: _refuse_names(patch, lambda name: len(name) > 64),
    collateral={"4.2.4-8": "its names have 128 characters"},
)
saboteur(
    "4.2.4-8",
    "subscription names are cut to 100 characters",
    lambda patch: patch.at(fault_points.SUBSCRIPTION_NAMED, lambda original, name: original(name)[:100]),
)
