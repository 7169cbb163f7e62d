"""Faults of the selector of AccountsPayable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.stored_message import StoredMessage
from tck.api import InvalidSelectorException


def _as_selected(patch: Patch, fault: Callable[[dict[str, Any]], object]) -> None:
    """Run `fault` on the values that a selector sees."""

    def selection(original: Callable[[StoredMessage], Any], entry: StoredMessage) -> dict[str, Any]:
        values = dict(original(entry))
        fault(values)
        return values

    patch.at(fault_points.VALUES_SELECTED, selection)


@saboteur("pj-accounts-selector-1", "a selector sees a number below 5000 four times as large")
def _(patch: Patch) -> None:
    def fault(values: dict[str, Any]) -> None:
        credit = values.get("DollarCredit")
        if credit is not None and not isinstance(credit, str) and int(str(credit)) < 5000:
            values["DollarCredit"] = type(credit)(int(str(credit)) * 4)

    _as_selected(patch, fault)


@saboteur("pj-accounts-selector-2", "a selector converts a string of digits to a number")
def _(patch: Patch) -> None:
    def fault(values: dict[str, Any]) -> None:
        credit = values.get("DollarCredit")
        if isinstance(credit, str) and credit.isdigit():
            values["DollarCredit"] = int(credit)

    _as_selected(patch, fault)


@saboteur("pj-accounts-selector-3", "a message that lacks the number of a selector does not match")
def _(patch: Patch) -> None:
    def fault(values: dict[str, Any]) -> None:
        if "DollarCredit" not in values:
            values.pop("owner", None)

    _as_selected(patch, fault)


@saboteur("pj-accounts-selector-4", "a selector with an unfinished literal counts as none")
def _(patch: Patch) -> None:
    def compile_selector(original: Callable[..., Any], text: str, *rest: Any) -> Any:
        try:
            return original(text, *rest)
        except InvalidSelectorException:
            if text.count("'") % 2:
                return None
            raise

    patch.at(fault_points.SELECTOR_COMPILED, compile_selector)
