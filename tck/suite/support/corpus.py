"""A program of the corpus as a case: its point, its conditions, and its verdict.

The program runs on the provider step by step, each outcome is compared with the stored one wherever the specification
leaves no choice, and each difference breaks the rows that own it. A difference that no row owns leaves `corpus-1`
undecided: it is settled by a person, and never silent.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from tck.catalogue import load_catalogue
from tck.profile.model import Declared
from tck.programs.comparing.differences import Difference
from tck.programs.corpus import Entry, corpus_in
from tck.programs.expectation import Execution, Expectation
from tck.programs.observing.environment import RunSettings, Sent, stands_still
from tck.programs.rendering import call_text
from tck.programs.runner import Runner
from tck.suite.support import expect
from tck.suite.support.case import Case
from tck.suite.support.harness.outcome import NoHook, Undecided, Unsupported
from tck.suite.support.harness.point import CORPUS, Variant
from tck.suite.support.harness.running import Elsewhere

FOLDER: Final = Path(__file__).parents[1] / "corpus"
"""The folder of the corpus."""
INTERFACE: Final = {
    "classic": "classic",
    "simplified": "simplified",
    "queue": "domain-specific",
    "topic": "domain-specific",
}
"""The interface of the catalogue, by the word that programs have for it."""
POOLS: Final = 40
"""Where each test runs at one point, so many programs run of those that judge real brokers, and of the others."""
UNCONFIRMED: Final = "TCK_UNCONFIRMED"
"""An environment variable: where it is set, programs judge real brokers that the complete ones have not confirmed."""
_SENT: Final[dict[int, tuple[object, dict[str, str]]]] = {}
"""By the identity of a provider, which may be unhashable: it, and the identifiers of the messages that programs sent, each with its program."""
_DOMAIN: Final = {"ptp": "queue", "pubsub": "topic"}


def variants() -> Sequence[Variant]:
    """Return the point of each program."""
    return [
        Variant(
            entry.name, _DOMAIN[entry.domains[0]], INTERFACE[entry.apis[0]], "auto", frozenset({CORPUS}), offered(entry), plain=True,
            pool=f"{number % POOLS} {'real' if entry.confirmed else 'virtual'}",
        )
        for number, entry in corpus_in(FOLDER).entries.items()
    ]  # fmt: skip


def offered(entry: Entry) -> Callable[[str], bool]:
    """Return whether a version of the specification has all that a program uses."""
    return lambda version: version in entry.versions


def performed(case: Case) -> None:
    """Run the program that the case names, and judge each of its outcomes.

    Raises:
        Unsupported: The profile does not claim what the program uses.
        NoHook: The provider lacks a hook, or a clock that stands still.
    """
    corpus = corpus_in(FOLDER)
    entry = corpus.entries[int(case.point.variant)]
    _require(case, entry)
    expectation = corpus.expectation(entry.number, case.version)
    settings = RunSettings(case.timing.delay, case.timing.deadline, case.timing.tolerance)
    runner = Runner(case.provider, case.name("c")[-24:], settings, _Recorded(case), case.profile.names.shape)
    spare = case.profile.vary.spare
    if case.second is not None and not runner.by_two_clients(case.second, expectation.program, spare):
        raise Unsupported("no connection of the program only sends, as a second client could")
    for _ in runner.follow(expectation):
        pass
    runner.close()
    identify(case, runner.env.sent, runner.env.received)
    execution = Execution(list(runner.seen), runner.sends, virtual=runner.env.virtual)
    found = case.judged(expectation, execution).differences
    unowned = [each for each in found if not _blamed(case, each, expectation)]
    with expect.for_row(CORPUS):
        if unowned:
            raise Undecided("; ".join(_described(each, expectation) for each in unowned[:3]))
        same = len(expectation.program) - len({each.step for each in found})
        first = f"; the first other one: {_described(found[0], expectation)}" if found else ""
        case.witness(f"{same} of {len(expectation.program)} outcomes are the specified ones{first}")


def identify(case: Case, sent: Iterable[Sent], received: Iterable[str] = ()) -> None:
    """Judge all programs of a provider's life as one trace.

    Break 3.4.3-4 where a message that was sent has the identifier of one of another program, and 8.1-1 where one of another program
    was received: destinations belong to one program alone.
    """
    provider = case.evidence.behind(case.provider)
    _, known = _SENT.setdefault(id(provider), (provider, {}))
    own = {each.id: each.number for each in sent if each.seen and isinstance(each.id, str)}
    for identifier, number in own.items():
        program = known.setdefault(identifier, case.point.variant)
        if program != case.point.variant:
            text = f"message {number} has the identifier of one that corpus/{program} sent: {identifier}"
            case.marks.elsewhere.append(Elsewhere("3.4.3-4", "send", text))
    for identifier in set(received) - own.keys():
        program = known.get(identifier, case.point.variant)
        if program != case.point.variant:
            text = f"a message came that corpus/{program} sent, to a destination of its own: {identifier}"
            case.marks.elsewhere.append(Elsewhere("8.1-1", "receive", text))


def _require(case: Case, entry: Entry) -> None:
    """Go on only where the program can run."""
    claims = case.profile.claims
    missing = {INTERFACE[each] for each in entry.apis} - set(claims.api)
    missing |= set(entry.domains) - set(claims.domains)
    missing |= set(entry.features) - set(claims.features)
    if missing:
        raise Unsupported(f"the profile does not claim {', '.join(sorted(missing))}")
    offered_hooks = {each.value for each in case.provider.hooks}
    lacking = [each for each in entry.hooks if each not in offered_hooks]
    if lacking:
        raise NoHook(f"needs hook {lacking[0]}")
    if entry.virtual and not stands_still(case.provider):
        raise NoHook("needs hook clock")
    if not case.provider.clock.virtual and not entry.confirmed and not os.environ.get(UNCONFIRMED):
        raise Unsupported("the program has not been confirmed by the complete brokers, so it judges no real one")


def _blamed(case: Case, difference: Difference, expectation: Expectation) -> bool:
    """Note the row that a difference breaks; return whether there is one in force.

    What raises UnsupportedOperationException where the maintainers disclaim a part of the version is of that part.

    Where several rows may own an outcome, as those on the words of a selector, the first is blamed, or the one that the profile
    declares: one difference is one accusation.
    """
    if case.profile.claims.without and "UnsupportedOperationException" in str(difference.seen):
        return True
    known = load_catalogue()
    rows = [row for row in difference.rows if known[row].applies_to(case.version)]
    declared = {each.assertion for each in case.profile.deviations if each.outcome is not Declared.UNDECIDED}
    for row in [*(row for row in rows if row in declared), *rows][:1]:
        case.marks.elsewhere.append(Elsewhere(row, difference.do, _described(difference, expectation)))
    return bool(rows)


def _described(difference: Difference, expectation: Expectation) -> str:
    step = expectation.program.steps[difference.step]
    return f"step {difference.step + 1}, {call_text(step)}: {difference.what}: expected {difference.expected}, saw {difference.seen}"


class _Recorded:
    """The recorded view of a case's provider, as the runner of programs wants it."""

    def __init__(self, case: Case) -> None:
        self._case = case

    def wrap(self, provider: Any) -> Any:  # noqa: ANN401 - whatever the provider has
        """Return the provider, which is recorded already."""
        return provider

    def unwrap(self, value: Any, owner: object) -> Any:  # noqa: ANN401, ARG002 - whatever the provider has
        """Return the provider's own object behind a recorded one."""
        return self._case.evidence.behind(value)
