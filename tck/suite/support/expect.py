"""The judgements a test may end with. Each forces a witness, tells what was expected and what was seen, and decides.

A helper raises `Broken` when the claim is refuted, `Undecided` when what it needs for judging is missing, and otherwise
leaves a witness mark in the case. A case that ends without a mark is a fault of the kit, so a provider that does nothing
passes nothing. A witness that fails gets a second look by another path before the case says "undecided".
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeVar

from tck import api
from tck.suite.support import telling
from tck.suite.support.calls import Call
from tck.suite.support.current import current_case
from tck.suite.support.link import Link
from tck.suite.support.outcome import Broken, KitFault, Observed, Undecided
from tck.suite.support.second_look import delivers_at_all
from tck.suite.support.seen import body, shown, tried
from tck.suite.support.tracing import trace as _trace

Value = TypeVar("Value")
By = Callable[[api.Message], object]

trace = _trace
"""Demand that everything recorded in the case keeps properties of `tck.check`."""


def is_inert(value: object) -> bool:
    """Whether a provider that does nothing could show this value: None, False, zero, or anything empty."""
    return value is None or value is False or value == 0 or (isinstance(value, Collection) and len(value) == 0)


def equal(what: str, seen: object, wanted: object) -> None:
    """Demand a value.

    `what` names it ("JMSPriority at the receiver"). A wanted value that an idle provider shows too (None, False, 0,
    empty) needs an earlier witness in the case. Destinations compare by kind and name. Tables compare key by key; keys
    that are not wanted do not count.
    """
    case = current_case()
    seen, wanted = shown(seen), shown(wanted)
    if isinstance(seen, Mapping) and isinstance(wanted, Mapping):
        _table(what, seen, wanted)
        return
    case.marks.expected.append(f"{what} is {wanted!r}")
    if seen != wanted or _unlike(seen, wanted):
        was, to_be = telling.differing(seen, wanted)
        raise Broken(f"{what} was {was}", expected=f"{what} is {to_be}", cites=case.cites_of())
    _mark_or_refuse(f"{what} was {seen!r}", wanted)


def _unlike(seen: object, wanted: object) -> bool:
    return isinstance(seen, bool) is not isinstance(wanted, bool)


def _table(what: str, seen: Mapping[object, object], wanted: Mapping[object, object]) -> None:
    case = current_case()
    if not wanted:
        raise KitFault(f"{what}: nothing is wanted of the table, so it could not fail; compare lists of its keys")
    case.marks.expected.append(f"{what}: {', '.join(str(key) for key in wanted)} as wanted")
    different = [
        key for key in wanted if key not in seen or seen[key] != wanted[key] or _unlike(seen[key], wanted[key])
    ]
    if different:
        told = {key: telling.differing(seen.get(key), wanted[key]) for key in different}
        raise Broken(
            f"{what}: " + ", ".join(f"{telling.key(key)} was {was}" for key, (was, _) in told.items()),
            expected=f"{what}: " + ", ".join(f"{telling.key(key)} is {to_be}" for key, (_, to_be) in told.items()),
            cites=case.cites_of(),
        )
    speaking = {key: value for key, value in wanted.items() if not is_inert(value)}
    _mark_or_refuse(f"{what}: {speaking!r}", speaking)


def _mark_or_refuse(sight: str, wanted: object) -> None:
    case = current_case()
    if not is_inert(wanted):
        case.witness(sight)
    elif not case.marks.witnesses:
        raise KitFault(f"{sight}: an idle provider shows that too; show a contrary or an arrival first")


def true(claim: str, holds: object, otherwise: str) -> None:
    """Demand a condition over what was seen; `otherwise` says what was seen when it does not hold."""
    case = current_case()
    case.marks.expected.append(claim)
    if not holds:
        raise Broken(otherwise, expected=claim, cites=case.cites_of())
    case.witness(claim)


def differs(what: str, seen: object, unwanted: object) -> None:
    """Demand any telling value but one: not `unwanted`, and not one an idle provider shows."""
    case = current_case()
    seen, unwanted = shown(seen), shown(unwanted)
    case.marks.expected.append(f"{what} is not {unwanted!r}")
    if seen == unwanted or is_inert(seen):
        raise Broken(f"{what} was {seen!r}", expected=f"{what} is set, and not {unwanted!r}", cites=case.cites_of())
    case.witness(f"{what} was {seen!r}")


def between(what: str, seen: int, low: int, high: int) -> None:
    """Demand a number of `low` to `high`, both included, widened by the profile's clock tolerance."""
    case = current_case()
    slack = case.timing.tolerance
    wanted = f"{what} is {low}" if low == high else f"{what} lies in {low} to {high}"
    wanted += f" (give or take {slack})" if slack else ""
    case.marks.expected.append(wanted)
    if not low - slack <= seen <= high + slack:
        raise Broken(f"{what} was {seen}", expected=wanted, cites=case.cites_of())
    _mark_or_refuse(f"{what} was {seen}", seen)


def distinct(what: str, seen: Sequence[object]) -> None:
    """Demand that no value comes twice and none is missing."""
    case = current_case()
    wanted = f"{len(seen)} different values of {what}"
    case.marks.expected.append(wanted)
    twice = sorted({str(value) for value in seen if seen.count(value) > 1})
    if twice or any(is_inert(value) for value in seen):
        raise Broken(
            f"{len(set(seen))} different values in {len(seen)}; repeated or missing: {', '.join(twice[:5]) or 'null'}",
            expected=wanted,
            cites=case.cites_of(),
        )
    case.witness(f"{len(seen)} different values of {what}")


def arrives(link: Link, bodies: Sequence[object], *, ordered: bool = True, settle: bool = True) -> list[api.Message]:
    """Demand that just these bodies arrive next at the link's consumer; returns the messages.

    Settles what it takes unless told not to. A message that does not come is looked for on another path: if that one
    works, the claim is refuted, else nothing can be said.
    """
    case = current_case()
    wanted = f"{list(bodies)!r} arrive from {shown(link.destination)}"
    case.marks.expected.append(wanted)
    messages: list[api.Message] = []
    for _ in bodies:
        message = _next(link, wanted)
        if message is None:
            _missing(link, wanted, f"only {[body(seen) for seen in messages]!r} arrived")
        else:
            messages.append(message)
    seen = [_content(message) for message in messages]
    good = seen == list(bodies) if ordered else sorted(map(str, seen)) == sorted(map(str, bodies))
    if not good:
        came, to_come = telling.differing(seen, list(bodies))
        place = shown(link.destination)
        raise Broken(f"{came} arrived", expected=f"{to_come} arrive from {place}", cites=case.cites_of())
    if settle and messages:
        link.client.settle(messages[-1])
    case.witness(f"{seen!r} arrived from {shown(link.destination)}")
    return messages


def arrival(link: Link) -> api.Message:
    """Demand that a message arrives, whatever it is; returns it unsettled. What is missing gets a second look."""
    case = current_case()
    wanted = f"a message arrives from {shown(link.destination)}"
    case.marks.expected.append(wanted)
    message = _next(link, wanted)
    if message is None:
        _missing(link, wanted, f"none arrived within {case.timing.deadline} ms")
    assert message is not None  # noqa: S101 - _missing never returns
    case.witness(f"{_content(message)!r} arrived from {shown(link.destination)}")
    return message


def delivers(link: Link, message: api.Message, what: str = "the message", *, settle: bool = True) -> api.Message:
    """Demand that a message is taken and comes to the link's consumer; returns what came, its body not read yet.

    Where a call fails or nothing comes, a plain message on another path decides: if that one comes, the claim is refuted.
    """
    case = current_case()
    wanted = f"{what} is sent and received"
    case.marks.expected.append(wanted)
    try:
        link.send(message)
        received = link.poll()
    except Exception as error:  # noqa: BLE001 - whatever it is, the message did not get through
        _missing(link, wanted, f"sending or receiving {what} raised {type(error).__name__}: {error}")
    else:
        if received is None:
            _missing(link, wanted, f"{what} did not come within {case.timing.deadline} ms")
    assert received is not None  # noqa: S101 - _missing never returns
    case.witness(f"{what} was received")
    if settle:
        link.client.settle(received)
    return received


def only(link: Link, bodies: Sequence[object] = (), *, by: By | None = None, ordered: bool = True) -> None:
    """Demand that just these come before a marker sent now on the same path: absence proved by a fence.

    The marker is sent by the link's own session to its own destination with the same options, so whatever else was
    there to come would have come before it. `by` shows a message (default: its body).
    """
    case = current_case()
    wanted = f"{list(bodies)!r} and nothing else come from {shown(link.destination)}"
    case.marks.expected.append(wanted)
    marker = link.mark()
    seen: list[object] = []
    while True:
        message = _next(link, wanted)
        if message is None:
            _missing(link, wanted, f"{seen!r} came, and the marker {marker!r} that was sent after them did not")
            break
        content = _content(message)
        link.client.settle(message)
        if content == marker:
            break
        seen.append(content if by is None else by(message))
    good = seen == list(bodies) if ordered else sorted(map(str, seen)) == sorted(map(str, bodies))
    if not good:
        came, to_come = telling.differing(seen, list(bodies))
        expected = f"{to_come} and nothing else come from {shown(link.destination)}"
        raise Broken(f"{came} came before the marker", expected=expected, cites=case.cites_of())
    case.witness(f"the marker {marker!r} came, and before it {seen!r}")


def nothing_before(link: Link, marker: str, send_marker: Callable[[], object], *, settle: bool = True) -> None:
    """Demand that the next message of a link is the marker which another path sends now; settled unless told not to."""
    case = current_case()
    wanted = f"nothing comes from {shown(link.destination)} before {marker!r}"
    case.marks.expected.append(wanted)
    send_marker()
    message = _next(link, wanted)
    if message is None:
        _missing(link, wanted, "not even the marker came")
    content = _content(message)
    if content != marker:
        raise Broken(f"{content!r} came first", expected=wanted, cites=case.cites_of())
    if message is not None and settle:
        link.client.settle(message)
    case.witness(f"the first to come was the marker {marker!r}")


def raises(
    wanted: type[BaseException],
    call: Callable[[], object],
    *,
    what: str,
    though_works: Callable[[], object] | None = None,
) -> BaseException:
    """Demand an exception of just this type, after having seen the same call work where it must.

    Args:
        wanted: the type; provider-made subclasses count.
        call: what must be refused.
        what: names the call in texts.
        though_works: an allowed form of the same call, tried first; needed unless the case has a witness already. What
            fails in it makes the case undecided.

    Returns:
        The exception, for further demands.
    """
    case = current_case()
    if though_works is not None:
        sight = though_works()
        case.witness(f"{what} works where it must" + (f": {shown(sight)!r}" if not is_inert(sight) else ""))
    elif not case.marks.witnesses:
        raise KitFault(f"{what}: show the call working, or an arrival, before demanding {wanted.__name__}")
    claim = f"{what} raises {wanted.__name__}"
    case.marks.expected.append(claim)
    try:
        value = call()
    except wanted as error:
        case.witness(f"{what} raised {type(error).__name__}")
        return error
    except Exception as error:
        text = f"{what} raised {type(error).__name__}: {error}"
        raise Broken(text, expected=claim, cites=case.cites_of()) from error
    raise Broken(f"{what} returned {shown(value)!r}", expected=claim, cites=case.cites_of())


def returns(call: Call[Value], what: str, within_ms: float | None = None) -> Value:
    """Demand that a call running on its own thread returns by itself, within the profile's deadline unless told else.

    What it returns is for further demands; an exception it raised refutes the claim.
    """
    case = current_case()
    limit = case.timing.deadline if within_ms is None else within_ms
    claim = f"{what} returns within {limit:g} ms"
    case.marks.expected.append(claim)
    if not call.ends_within(limit):
        raise Broken(f"{what} was still waiting after {limit:g} ms", expected=claim, cites=case.cites_of())
    return works(what, call.result)


def waits(call: Call[object], what: str, sight: str) -> None:
    """Demand that a call is still waiting after a long time; `sight` says under which circumstances."""
    case = current_case()
    claim = f"{what} still waits {sight}"
    case.marks.expected.append(claim)
    case.linger(f"{what} must go on waiting")
    if call.returned:
        raise Broken(f"{what} had returned", expected=claim, cites=case.cites_of())


def polls(link: Link, text: str) -> None:
    """Demand that receive_no_wait finds a message that was sent before, asked again for a bounded time.

    A provider may need a moment to bring the message to the consumer, so a first null is no finding.
    """
    case = current_case()
    claim = f"receive_no_wait() finds {text!r}"
    case.marks.expected.append(claim)
    step = max(case.timing.deadline / 200, 1)
    for _ in range(200):
        message = works("receive_no_wait()", link.consumer.receive_no_wait)
        if message is not None:
            link.client.settle(message)
            equal("the message that receive_no_wait() gave", _content(message), text)
            return
        case.provider.clock.event().wait(step)
    _missing(link, claim, f"receive_no_wait() gave null for {case.timing.deadline} ms")


def works(what: str, call: Callable[[], Value]) -> Value:
    """Demand that a call of the provider is accepted; returns its value. No witness by itself."""
    case = current_case()
    claim = f"{what} raises nothing"
    case.marks.expected.append(claim)
    try:
        return call()
    except Exception as error:
        text = f"{what} raised {type(error).__name__}: {error}"
        raise Broken(text, expected=claim, cites=case.cites_of()) from error


def works_or(refused: type[Exception], call: Callable[[], object]) -> bool:
    """Try a call that a provider may refuse with one type of exception; returns whether it did. No witness by itself."""
    case = current_case()
    case.marks.expected.append(f"the call is accepted, or refused with {refused.__name__}")
    try:
        call()
    except refused:
        return True
    except Exception as error:
        text = f"the call raised {type(error).__name__}: {error}"
        raise Broken(text, expected=f"at most {refused.__name__}", cites=case.cites_of()) from error
    return False


def present(what: str, value: Value | None) -> Value:
    """Demand that something is not null; returns it."""
    case = current_case()
    case.marks.expected.append(f"{what} is not null")
    if value is None:
        raise Broken(f"{what} was null", expected=f"{what} is not null", cites=case.cites_of())
    return value


def becomes(what: str, read: Callable[[], object], before: object, after: object, *, by: Callable[[], object]) -> None:
    """Demand that an action changes a value from `before` to `after`; a wrong `before` leaves the case undecided."""
    case = current_case()
    claim = f"{what} turns from {shown(before)!r} to {shown(after)!r}"
    case.marks.expected.append(claim)
    seen = shown(read())
    if seen != shown(before):
        raise Undecided(f"{what} was {seen!r} at the outset", expected=claim)
    by()
    seen = shown(read())
    if seen != shown(after):
        raise Broken(f"{what} was {seen!r} afterwards", expected=claim, cites=case.cites_of())
    case.witness(f"{what} turned from {shown(before)!r} to {seen!r}")


def one_of(what: str, seen: object, permitted: Mapping[object, str]) -> None:
    """Accept each permitted outcome by name and record which was seen; anything else refutes the claim."""
    case = current_case()
    seen = shown(seen)
    claim = f"{what} is one of {list(permitted)!r}"
    case.marks.expected.append(claim)
    if seen not in permitted:
        raise Broken(f"{what} was {seen!r}", expected=claim, cites=case.cites_of())
    record(permitted[seen])


def record(behaviour: str) -> None:
    """Record a permitted behaviour by name; needs an earlier witness. An UNDEFINED row ends as an observation."""
    case = current_case()
    if not case.marks.witnesses:
        raise KitFault(f"recording {behaviour!r} needs a witness first")
    case.marks.behaviour = behaviour
    if all(row.level == "UNDEFINED" for row in case.rows):
        raise Observed(behaviour, cites=case.cites_of())


def _content(message: api.Message | None) -> object:
    return tried(lambda: body(message))


def _next(link: Link, wanted: str) -> api.Message | None:
    """Receive one message, or None; a receive that raises gets a second look, as a missing message does."""
    try:
        return link.poll()
    except Exception as error:  # noqa: BLE001 - whatever it is, nothing was received
        _missing(link, wanted, f"receiving raised {type(error).__name__}: {error}")
    return None


def _missing(link: Link, wanted: str, observed: str) -> None:
    """Refute the claim if another path on the destination works, else leave the case undecided."""
    case = current_case()
    cites = case.cites_of()  # what decided it ends here; what the second look does is no part of it
    with contextlib.suppress(Exception):
        link.consumer.close()  # else it would compete with the second look for the messages of a queue
    if delivers_at_all(case, link.destination):
        raise Broken(
            observed,
            expected=wanted,
            explanation="A second consumer, connected afresh, does get messages from this destination.",
            cites=cites,
        )
    raise Undecided(f"{observed}, and no other path to the destination delivers either", expected=wanted)
