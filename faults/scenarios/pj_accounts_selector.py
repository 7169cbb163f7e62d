"""Faults of the selector of AccountsPayable."""

from faults.kit import *


def _as_selected(patch, fault):
    """Run `fault` on the values that a selector sees."""

    def selection(original, entry):
        values = dict(original(entry))
        fault(values)
        return values

    patch.at(fault_points.VALUES_SELECTED, selection)


@saboteur("pj-accounts-selector-1", "a selector sees a number below 5000 four times as large", by=_as_selected)
def _(values):
    credit = values.get("DollarCredit")
    if credit is not None and not isinstance(credit, str) and int(str(credit)) < 5000:
        values["DollarCredit"] = type(credit)(int(str(credit)) * 4)


@saboteur("pj-accounts-selector-2", "a selector converts a string of digits to a number", by=_as_selected)
def _(values):
    credit = values.get("DollarCredit")
    if isinstance(credit, str) and credit.isdigit():
        values["DollarCredit"] = int(credit)


@saboteur("pj-accounts-selector-3", "a message that lacks the number of a selector does not match", by=_as_selected)
def _(values):
    if "DollarCredit" not in values:
        values.pop("owner", None)


@saboteur(
    "pj-accounts-selector-4", "a selector with an unfinished literal counts as none", at=fault_points.SELECTOR_COMPILED
)
def _(original, text, *rest):
    try:
        return original(text, *rest)
    except InvalidSelectorException:
        if text.count("'") % 2:
            return None
        raise
