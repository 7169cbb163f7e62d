"""The rows that the differences of a program break: by `owners.toml`, or by the call that differs; where neither has one, none."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from tck.blame.facts import facts_of
from tck.catalogue.differences import load_owners
from tck.catalogue.owners import load_call_owners
from tck.catalogue.versions import NEWEST
from tck.programs.comparing.comparison import Comparison, compare
from tck.programs.comparing.differences import Allowed, Difference
from tck.programs.comparing.history import History
from tck.programs.expectation import Execution, Expectation
from tck.programs.members import getter_of, member_of
from tck.programs.operations import OPERATIONS
from tck.programs.program import Observation, Step

_NO_MEMBER: Final = {"queue": "4.1.4-1", "topic": "4.2.6-1", "message": "3.12-1", "close": "4.1.6-2"}
"""The rows of steps that call no member with an owner: an administrator's, those on foreign messages, those on browsers."""
_BASES: Final = {
    "QueueReceiver": "MessageConsumer", "TopicSubscriber": "MessageConsumer",
    "QueueSender": "MessageProducer", "TopicPublisher": "MessageProducer",
}  # fmt: skip
"""Of the domain-specific classes that inherit nearly all of their members, the class that they inherit from."""
_OPEN: Final = "count"
"""The rule by which a difference is allowed whose entry names no row: a count need not be exact (3.5.11-5)."""


def judged(
    expectation: Expectation,
    ran: Execution,
    claimed: tuple[str, ...] = (),
    *,
    prefetches: bool = True,
    history: History | None = None,
) -> Comparison:
    """Compare two runs of a program, and name the rows that each difference breaks.

    Args:
        expectation: The program, and what the reference provider showed.
        ran: What the other provider showed.
        claimed: The optional JMSX properties that its profile claims.
        prefetches: Whether it may hand messages to a consumer that has not asked for them; then these may count as delivered.
        history: What the steps reach, where it is known already.
    """
    found = compare(expectation, ran, claimed, prefetches=prefetches, history=history)
    differing = {(each.step, each.selector) for each in found.differences}
    owned = [(each, *owners_of(each, expectation, history, differing, found.seen)) for each in found.differences]
    found.differences = [replace(each, rows=rows, rule=rule) for each, rule, rows in owned if rule != _OPEN]
    found.allowed += [Allowed(each.step, each.what, _OPEN) for each, rule, _ in owned if rule == _OPEN]
    return found


def owners_of(
    found: Difference,
    expectation: Expectation,
    history: History | None = None,
    differing: Collection[tuple[int, str]] = (),
    seen: Sequence[Observation] | None = None,
) -> tuple[str, tuple[str, ...]]:
    """Return the rule that names the owners of a difference, and the ids of their rows.

    Args:
        found: The difference.
        expectation: The program that showed it, with the reference provider's outcomes.
        history: What the steps of the program reach, where it is known already.
        differing: The selectors of the program that let through other messages than they should, each with its step.
        seen: What the provider showed; by default what the reference provider did.
    """
    step, owners = expectation.program.steps[found.step], load_owners()
    refused = "'raises'" in found.seen and "InvalidSelector" not in found.seen
    if found.do == "select" and found.what == "value" and not refused:
        asked = (expectation.seen[found.step].get("ok") or {}) if found.step < len(expectation.seen) else {}
        return "selector", owners.of_selector(
            found.selector, [each for each in asked if (found.step, each) not in differing]
        )
    if found.do in {"browse", "enumerate"} and found.what == "refused":
        return "browse refused", _browsing(found, expectation, step)
    text = step.args.get("selector")
    if isinstance(text, str) and found.what == "refused" and "InvalidSelector" in found.seen:
        return "selector refused", owners.of_selector(text)
    entry = owners.find(facts_of(found, expectation, history, seen))
    if entry is None:
        return "call", _by_member(found, expectation)
    if isinstance(text, str) and found.expected.startswith("raises InvalidSelector"):
        grammar = owners.of_selector(text, valid=False)[:1]
        return "no selector", (*grammar, *entry.rows) if grammar else (*entry.rows, "10.3-25")
    return str(entry) if entry.rows else _OPEN, entry.rows


def _browsing(found: Difference, expectation: Expectation, step: Step) -> tuple[str, ...]:
    """Return the owner of a call that browses, and the rows of the browser's selector, by which it may fail."""
    made = next(
        (each for each in expectation.program.steps if each.do == "browser" and each.name == step.args["on"]), step
    )
    own = ("4.1.6-1",) if found.do == "browse" else _by_member(found, expectation)
    text = made.args.get("selector")
    return own + (load_owners().of_selector(text) if text else ())


def _by_member(found: Difference, expectation: Expectation) -> tuple[str, ...]:
    """Return the owner of the call, or of the attribute, that differs."""
    program, step = expectation.program, expectation.program.steps[found.step]
    if found.what.startswith("value ") and step.do == "state":
        owner = owner_of(getter_of(program, found.step, found.what.removeprefix("value ")))
    elif OPERATIONS[step.do].fails:
        owner = load_call_owners().hooks[step.do].row
    elif step.do == "advance":
        owner = load_call_owners().hooks["clock"].row
    else:
        member = member_of(program, found.step)
        owner = owner_of(f"{member}(null)" if step.do == "property" and step.args["value"] is None else member)
    owner = owner or _NO_MEMBER.get(step.do)
    return () if owner is None else (owner,)


def owner_of(member: str | None, version: str = NEWEST) -> str | None:
    """Return the row that owns a member; None where none does."""
    if member is None:
        return None
    owners = load_call_owners()
    found, (on, _, call) = owners.of(member, version), member.partition(".")
    return owners.of(f"{_BASES[on]}.{call}", version) if found is None and on in _BASES else found
