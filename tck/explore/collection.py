"""Make the programs of a corpus, and the outcomes that the reference provider expects of them.

A program enters if it shows a message at all, if it can be run again with the same outcomes, and if every version of the
specification that offers all it uses has an expectation of its own.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from tck import api
from tck.adapters.working_directory import work_directory
from tck.blame.cells import owned_cells
from tck.explore.exploration import capabilities_of
from tck.explore.reference import Reference
from tck.profile import load_profile
from tck.programs.comparing.outcomes import views
from tck.programs.corpus import VERSIONS, Corpus, Entry, moved, stored
from tck.programs.expectation import Expectation
from tck.programs.legality import Rules
from tck.programs.observing.environment import RunSettings
from tck.programs.operations.administering import OVERRIDES
from tck.programs.operations.messages import NATIVE, NATIVE_FEATURE
from tck.programs.performing import UnfitError
from tck.programs.program import Json, Program, Step
from tck.programs.state.objects import Capabilities, OpenOutcome
from tck.temporary import make_folder, remove_folder

POOLS: Final = "asf"
XA: Final = "xa"
_UNSUPPORTED: Final = "UnsupportedOperationException"
HOOKS = frozenset({api.Hook.RESTART, api.Hook.KILL, api.Hook.SEVER, api.Hook.FAULT, api.Hook.ADMINISTER})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A program that may enter: its line of the index, and its expectations by version."""

    entry: Entry
    expected: Mapping[str, Expectation]

    @property
    def program(self) -> Program:
        """The program."""
        return self.expected[VERSIONS[0]].program


@contextlib.contextmanager
def references(*, virtual: bool = True) -> Iterator[Mapping[str, Reference]]:
    """Open a reference provider for each version that expectations are stored for."""
    with contextlib.ExitStack() as stack:
        found: dict[str, Reference] = {}
        for version in VERSIONS:
            folder = make_folder("programs", work_directory())
            stack.callback(remove_folder, folder)
            able = _capabilities(version, virtual=virtual)
            found[version] = stack.enter_context(Reference(version, able, RunSettings(), folder))
        yield found


def _capabilities(version: str, *, virtual: bool) -> Capabilities:
    return capabilities_of(load_profile("reference"), version, HOOKS, virtual=virtual)


def candidates(
    seed: int, count: int, *, virtual: bool, version: str = VERSIONS[0], leave_out: Collection[str] = ()
) -> Iterator[Candidate]:
    """Make programs until `count` of them may enter; they are numbered from 1.

    Args:
        seed: Of the generator.
        count: How many to yield.
        virtual: Whether programs may look at what expires or falls due meanwhile.
        version: The version whose reference provider makes them; those of an older one use nothing that is newer.
        leave_out: Programs that do not enter, by seed and number, ``2000/411``.
    """
    with references(virtual=virtual) as found:
        number = made = 0
        while made < count:
            name, expectation = f"{seed}/{number}", found[version].make(seed, number)
            number += 1
            if name in leave_out or not shows_messages(expectation):
                continue
            expected = expectations(found, expectation.program)
            if VERSIONS[0] in expected and _alike(expectation, expected.get(version)):
                made += 1
                yield Candidate(_entry(made, expected, name), expected)


def crossed(seed: int, numbers: Iterable[int]) -> Iterator[Candidate]:
    """Yield the programs of these crossings that may enter; the arguments are those of `Reference.crossed`."""
    with references() as found:
        for number in numbers:
            expectation = found[VERSIONS[0]].crossed(seed, number)
            expected = expectations(found, expectation.program)
            if VERSIONS[0] in expected and shows_messages(expectation) and _alike(expectation, expected[VERSIONS[0]]):
                yield Candidate(_entry(number, expected, f"crossing-{seed}/{number}"), expected)


def continued(cuts: Iterable[tuple[Entry, Program, int]], tries: int) -> Iterator[list[Candidate]]:
    """Yield new programs that begin as others do, for each some that may enter.

    Args:
        cuts: The program that one begins as, with its entry and the number of its first steps that it does.
        tries: How many are made of each.
    """
    with references() as found:
        for entry, program, steps in cuts:
            made: list[Candidate] = []
            for number in range(tries):
                name = f"{entry.seed}>{steps}.{number}"
                try:
                    expectation = found[VERSIONS[0]].continued(program, steps, name)
                except UnfitError:
                    continue
                expected = expectations(found, expectation.program)
                if VERSIONS[0] in expected and _alike(expectation, expected[VERSIONS[0]]):
                    made.append(Candidate(_entry(0, expected, name), expected))
            yield made


def renewed(found: Mapping[str, Reference], entry: Entry, program: Program) -> Candidate | None:
    """Return a program that takes the place of another one, with its number; None if it may not enter."""
    expected = expectations(found, program)
    if VERSIONS[0] not in expected or not shows_messages(expected[VERSIONS[0]]):
        return None
    return Candidate(replace(_entry(entry.number, expected, entry.seed), why=entry.why, title=entry.title), expected)


def expectations(found: Mapping[str, Reference], program: Program) -> dict[str, Expectation]:
    """Return what each version's reference provider shows in a program, without those versions in which it is not legal."""
    shown = {version: each.run(program) for version, each in found.items()}
    newest = shown[VERSIONS[0]]
    return {
        version: each
        for version, each in shown.items()
        if each.unclear is None and _complete(each) and not lacking(each, newest)
    }


def lacking(older: Expectation, newest: Expectation) -> bool:
    """Return whether a program uses what a version has not: its outcome there is not laid down, since a provider may have more."""
    return any(
        one.get("raises") == _UNSUPPORTED != other.get("raises")
        for one, other in zip(older.seen, newest.seen, strict=False)
    )


def _complete(expectation: Expectation) -> bool:
    """Return whether every step could be done: what an older version lacks raises errors of Python."""
    return len(expectation.seen) == len(expectation.program) and all(
        "skipped" not in each and str(each.get("raises", "Exception")).endswith("Exception")
        for each in expectation.seen
    )


def shows_messages(expectation: Expectation) -> bool:
    """Return whether a message was received, browsed or delivered in a program."""
    return any(
        (isinstance(each.get("ok"), dict) and ("got" in each["ok"] or "shown" in each["ok"]) and views(each["ok"]))
        or any(each.get("delivered", {}).get("by", {}).values())
        for each in expectation.seen
    )


def _alike(one: Expectation, other: Expectation | None) -> bool:
    return other is not None and stored(one)["seen"] == stored(other)["seen"]


def _entry(number: int, expected: Mapping[str, Expectation], seed: str) -> Entry:
    expectation = expected[VERSIONS[0]]
    steps = expectation.program.steps
    owned = list(owned_cells(expectation))
    kinds = {step.do for step in steps} | {step.args.get("kind") for step in steps if step.do == "temporary"}
    able = Capabilities(
        ("classic", "simplified", "queue", "topic"),
        (NATIVE_FEATURE, OVERRIDES, POOLS, XA),
        ("restart", "kill", "sever", "fault", "administer"),
        virtual=True,
    )
    return Entry(
        number=number,
        versions=tuple(expected),
        apis=_needed(expectation, able, "apis"),
        domains=tuple(domain for domain, word in (("ptp", "queue"), ("pubsub", "topic")) if word in kinds),
        features=_presumed(steps),
        hooks=_needed(expectation, able, "hooks"),
        virtual=not legal(expectation, replace(able, virtual=False)),
        steps=len(steps),
        cells=len(owned),
        theme=str(expectation.program.about.get("theme", "")),
        seed=seed,
        rows=tuple(sorted({row for cell in owned for row in cell.rows}, key=_by_number)),
    )


def _presumed(steps: Sequence[Step]) -> tuple[str, ...]:
    """Return the optional features that steps presume."""
    found = {OVERRIDES for step in steps if step.do == "override"}
    found |= {POOLS for step in steps if step.do == "pool"} | {XA for step in steps if step.args.get("xa")}
    found |= {NATIVE_FEATURE for step in steps if {"correlation_bytes", NATIVE} & set(step.args.get("headers", {}))}
    found |= {NATIVE_FEATURE for step in steps if step.do == "set" and step.args["what"] == NATIVE}
    return tuple(sorted(found))


def _by_number(row: str) -> list[int]:
    return [int(part) for part in row.replace("-", ".").split(".")]


def _needed(expectation: Expectation, able: Capabilities, name: str) -> tuple[str, ...]:
    """Return the members of a capability without any of which the program would not be legal."""
    every: tuple[str, ...] = getattr(able, name)
    return tuple(each for each in every if not legal(expectation, _without(able, name, each)))


def _without(able: Capabilities, name: str, gone: str) -> Capabilities:
    left = tuple(each for each in getattr(able, name) if each != gone)
    return replace(able, apis=left) if name == "apis" else replace(able, hooks=left)


def legal(expectation: Expectation, able: Capabilities) -> bool:
    """Return whether a program is legal for a provider with these capabilities."""
    rules = Rules(able)
    try:
        for step, seen in zip(expectation.program.steps, expectation.seen, strict=True):
            if "skipped" not in seen:
                rules.check(step)
                rules.note(step, seen)
    except OpenOutcome:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Moved:
    """An expectation that the reference provider does not meet any more.

    Attributes:
        number: Of the program.
        version: Of the specification.
        steps: Number of each step whose outcome moved, from 0, with the outcome before and after; empty if the program is
            no longer legal.
        why: Why it is not; None if it is.
    """

    number: int
    version: str
    steps: Sequence[tuple[int, Json, Json]]
    why: str | None = None


def review(corpus: Corpus, numbers: Sequence[int], show: Callable[[int], None] = lambda _: None) -> Iterator[Moved]:
    """Run programs of the corpus on the reference provider of today, and yield the expectations that moved."""
    with references() as found:
        for number in numbers:
            show(number)
            for version in corpus.entries[number].versions:
                before, after = corpus.expectation(number, version), found[version].run(corpus.program(number))
                steps = list(moved(before, after))
                if steps or after.unclear is not None:
                    yield Moved(number, version, steps, after.unclear)


def rewrite(corpus: Corpus) -> None:
    """Store what the reference provider of today shows as the expectations of a corpus."""
    with references() as found:
        expected = {number: expectations(found, program) for number, program in corpus.programs.items()}
    entries = [
        replace(
            _entry(number, expected[number], entry.seed),
            brokers=entry.brokers,
            unsettled=entry.unsettled,
            why=entry.why,
            title=entry.title,
        )
        for number, entry in corpus.entries.items()
    ]
    by_version = {
        version: {number: each[version] for number, each in expected.items() if version in each} for version in VERSIONS
    }
    corpus.write(entries, corpus.programs, by_version)


def store(folder: Path, chosen: Sequence[Candidate]) -> None:
    """Write a corpus of these programs."""
    expected = {
        version: {each.entry.number: each.expected[version] for each in chosen if version in each.expected}
        for version in VERSIONS
    }
    Corpus(folder).write(
        [each.entry for each in chosen], {each.entry.number: each.program for each in chosen}, expected
    )
