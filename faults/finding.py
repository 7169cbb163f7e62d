"""Finds the faults: every module below this package declares its own."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache

from faults.composing.circumstances import FACTS
from faults.composing.operators import generic, generic_names
from faults.composing.seams import GROUNDS
from faults.kit.declaring import BRIDGES, BROAD, FOUND, LAWFUL, NARROW, ON, TRACE, Fault


@cache
def _load() -> None:
    """Import all modules that declare faults of the reference provider, those of chapters first: their names are."""
    package = importlib.import_module("faults")
    for each in pkgutil.walk_packages(package.__path__, "faults."):
        if not each.name.startswith("faults.interworking"):
            importlib.import_module(each.name)


@cache
def load_bridges() -> None:
    """Import all modules that declare faults of bridges."""
    package = importlib.import_module("faults.interworking")
    for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(each.name)


def all_saboteurs() -> Mapping[str, Fault]:
    """Return the broad faults by the row they break, in the order of the specification, those of scenarios last."""
    _load()
    found = FOUND[BROAD]
    return {row: found[row] for row in sorted(found, key=_numbers)}


def all_nearly_right(*, noticed: bool = True) -> Mapping[str, Fault]:
    """Return the narrow faults that the suite notices, or those that it does not notice yet, by name."""
    _load()
    return {name: found for name, found in sorted(FOUND[NARROW].items()) if found.noticed is noticed}


def all_lawful() -> Mapping[str, Fault]:
    """Return all lawful providers by name."""
    _load()
    return dict(sorted(FOUND[LAWFUL].items()))


def grounds() -> tuple[str, ...]:
    """Return the lawful providers that are models of other brokers, with functions of their own for generic faults."""
    _load()
    return tuple(GROUNDS)


def trace_faults() -> Mapping[str, Fault]:
    """Return the faults that many actors show, by the property they break."""
    _load()
    return dict(FOUND[TRACE])


def all_bridge_saboteurs() -> Mapping[str, Fault]:
    """Return the broad faults of bridges by the row they break, in the order of the document."""
    load_bridges()
    rows = (name for name, found in BRIDGES.items() if found.kind == BROAD)
    return {row: BRIDGES[row] for row in sorted(rows, key=lambda row: _numbers(row)[1])}


def all_nearly_right_bridges(*, noticed: bool = True) -> Mapping[str, Fault]:
    """Return the narrow faults of bridges that the suite notices, or those that it does not notice yet, by name."""
    load_bridges()
    narrow = (found for found in BRIDGES.values() if found.kind == NARROW and found.noticed is noticed)
    return {found.name: found for found in sorted(narrow, key=lambda found: found.name)}


def find(name: str) -> Fault:
    """Return the fault of the provider of a name, see `Fault`; behind ` under ` circumstances may follow, joined by ` and `.

    `on lawful/NAME: ` may stand before it: then the lawful provider is the ground that it changes.

    Raises:
        KeyError: There is none of that name.
    """
    _load()
    ground, colon, name = name.removeprefix(ON).partition(": ") if name.startswith(ON) else ("", "", name)
    if colon and ground not in FOUND[LAWFUL]:
        raise KeyError(f"there is no ground {ground!r}{_near(ground, FOUND[LAWFUL])}")
    alone, _, circumstances = name.partition(" under ")
    found = found_alone(alone, ground)
    facts = circumstances.split(" and ") if circumstances else []
    for each in facts:
        if each not in FACTS:
            raise KeyError(f"there is no circumstance {each!r}{_near(each, FACTS)}")
    found = found.under(*(FACTS[each] for each in facts)) if facts else found
    return found.on(FOUND[LAWFUL][ground]) if ground else found


def found_alone(alone: str, ground: str) -> Fault:
    """Return the fault of a name without circumstances, as it fits on a ground, but not on it.

    Raises:
        KeyError: There is none of that name.
    """
    _load()
    found = next((faults[alone] for faults in FOUND.values() if alone in faults), None)
    if found is None and alone not in generic_names(ground):
        every = [each for faults in FOUND.values() for each in faults]
        raise KeyError(f"no fault is called {alone!r}{_near(alone, every)}")
    return found or generic(alone, ground)


def _near(word: str, words: Iterable[str]) -> str:
    near = get_close_matches(word, words)
    return f"; near it are {', '.join(near)}" if near else ""


def _numbers(row: str) -> tuple[str, list[int]]:
    scenario = "" if row[0].isdigit() else row.rpartition("-")[0]
    return scenario, [int(number) for number in re.findall(r"\d+", row)]
