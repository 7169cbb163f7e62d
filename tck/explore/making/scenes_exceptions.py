"""Scenes about exceptions: those that a provider makes when asked to, and what those say that its calls raise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tck.explore.making.draft import Draft, Move
from tck.explore.making.stage import MODES, connect
from tck.programs.operations.exceptions import CHECKED, PROVOKING, RUNTIME
from tck.programs.program import Json

_TEXTS: Final = ("why", "", "gr\xf6\xdfer \u6771", "x" * 300, "two\nlines")


def exceptions(draft: Draft) -> None:
    """Have exceptions made with a code or without, and with another one behind them; provoke one as well."""
    for _ in range(draft.one((2, 3, 4))):
        args: dict[str, Json] = {"reason": draft.one((*_TEXTS, None))}
        if draft.chance(0.6):
            args["code"] = draft.one(("E-17", "E-17", "", "\u6771", None))
        if draft.chance(0.4):
            args["linked"] = True
        draft.do("exception", kind=draft.one(draft.one((CHECKED, RUNTIME))), **args)
    interface = draft.one(draft.capabilities.apis)
    on = connect(draft, interface, draft.one((*MODES, "transacted")))
    if on is not None:
        calls = [each for each, transacted in PROVOKING.items() if transacted == (on.mode == "transacted")]
        draft.do("provoke", on=on.name, what=draft.one(calls))


SCENES: Final[Mapping[str, tuple[Move, float]]] = {"exceptions": (exceptions, 3)}
"""Each scene, and how often it comes."""
