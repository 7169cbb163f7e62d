"""Faults in 4.2.4: names of subscriptions."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from tck.api import JMSException


def _refuse_names(patch: Patch, refused: Callable[[str], bool]) -> None:

    def checked_name(original: Callable[..., str], name: str | None) -> str:
        checked = original(name)
        if refused(checked):
            raise JMSException(f"no subscription can be named {checked!r}")
        return checked

    patch.at(fault_points.SUBSCRIPTION_NAMED, checked_name)


@saboteur(
    "4.2.4-1",
    "subscription names cannot have letters beyond ASCII",
    collateral={"4.2.4-2": "one of its names is a digit beyond ASCII"},
)
def _(patch: Patch) -> None:
    _refuse_names(patch, lambda name: not name.isascii())


@saboteur("4.2.4-2", "subscription names cannot begin with a digit")
def _(patch: Patch) -> None:
    _refuse_names(patch, lambda name: name[0].isdigit())


@saboteur("4.2.4-3", "subscription names cannot have underscores")
def _(patch: Patch) -> None:
    _refuse_names(patch, lambda name: "_" in name)


@saboteur("4.2.4-4", "subscription names cannot have dots")
def _(patch: Patch) -> None:
    _refuse_names(patch, lambda name: "." in name)


@saboteur("4.2.4-5", "subscription names cannot have minus signs")
def _(patch: Patch) -> None:
    _refuse_names(patch, lambda name: "-" in name)


@saboteur(
    "4.2.4-7",
    "subscription names cannot be longer than 64 characters",
    collateral={"4.2.4-8": "its names have 128 characters"},
)
def _(patch: Patch) -> None:
    _refuse_names(patch, lambda name: len(name) > 64)


@saboteur("4.2.4-8", "subscription names are cut to 100 characters")
def _(patch: Patch) -> None:
    patch.at(fault_points.SUBSCRIPTION_NAMED, lambda original, name: original(name)[:100])
