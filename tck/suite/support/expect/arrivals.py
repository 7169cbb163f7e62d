"""Judgements over messages: these arrive, and nothing else does."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Sequence

from tck import api
from tck.suite.support.expect.calls import works
from tck.suite.support.expect.order import in_order
from tck.suite.support.expect.second_look import delivers_at_all
from tck.suite.support.expect.values import equal
from tck.suite.support.harness.current import current_case
from tck.suite.support.harness.links import AnyLink
from tck.suite.support.harness.outcome import Broken, Undecided
from tck.suite.support.harness.wording import differing
from tck.suite.support.values.seen import body, shown, tried

By = Callable[[api.Message], object]
"""Shows a message, for findings."""


def arrives(link: AnyLink, bodies: Sequence[object], *, ordered: bool = True, settle: bool = True) -> list[api.Message]:
    """Demand that just these bodies arrive next at the link's consumer, in a permitted order; return the messages.

    They are settled unless `settle` is false. Where a message is missing, a second look over another path decides: if that
    path delivers, the claim is refuted, else the case is undecided.
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
    good = in_order(messages, seen, bodies) if ordered else sorted(map(str, seen)) == sorted(map(str, bodies))
    if not good:
        came, to_come = differing(seen, list(bodies))
        place = shown(link.destination)
        raise Broken(f"{came} arrived", expected=f"{to_come} arrive from {place}", cites=case.cites())
    if settle and messages:
        link.client.settle(messages[-1])
    case.witness(f"{seen!r} arrived from {shown(link.destination)}")
    return messages


def arrival(link: AnyLink) -> api.Message:
    """Demand that some message arrives; return it unsettled. Where none comes, a second look decides."""
    case = current_case()
    wanted = f"a message arrives from {shown(link.destination)}"
    case.marks.expected.append(wanted)
    message = _next(link, wanted)
    if message is None:
        _missing(link, wanted, f"none arrived within {case.timing.deadline} ms")
    assert message is not None  # noqa: S101 - _missing never returns
    case.witness(f"{_content(message)!r} arrived from {shown(link.destination)}")
    return message


def delivers(link: AnyLink, message: api.Message, what: str = "the message", *, settle: bool = True) -> api.Message:
    """Demand that a message is sent and arrives at the link's consumer; return the received one, its body unread.

    Where a call fails or no message comes, a plain message on another path decides: if it comes, the claim is refuted.
    """
    case = current_case()
    wanted = f"{what} is sent and received"
    case.marks.expected.append(wanted)
    try:
        link.send(message)
        received = link.poll()
    except Exception as error:  # noqa: BLE001 - by any error the message did not get through
        _missing(link, wanted, f"sending or receiving {what} raised {type(error).__name__}: {error}", error)
    else:
        if received is None:
            _missing(link, wanted, f"{what} did not come within {case.timing.deadline} ms")
    assert received is not None  # noqa: S101 - _missing never returns
    case.witness(f"{what} was received")
    if settle:
        link.client.settle(received)
    return received


def only(link: AnyLink, bodies: Sequence[object] = (), *, by: By | None = None, ordered: bool = True) -> None:
    """Demand that just these messages come before a marker sent now on the same path: a fence proves the absence of others.

    The link's own session sends the marker to its own destination with the link's options, so any other message would come
    before it. Order is kept within a delivery mode and a priority only (6.2.9.2), so where something is missing, what was
    sent with others has until further markers, one of each mode at the lowest priority, and its place is not judged. Nor does
    a marker say when a provider notices that a link is lost, and delivers again what it had delivered, nor when the messages of
    other senders come: after a cut, and where messages are not `ordered`, the missing ones have the profile's deadline. `by`
    shows a message (default: its body).
    """
    case = current_case()
    wanted = f"{list(bodies)!r} and nothing else come from {shown(link.destination)}"
    case.marks.expected.append(wanted)
    marker = link.mark()
    seen: list[object] = []
    messages: list[api.Message] = []
    while True:
        message = _next(link, wanted)
        if message is None:
            _missing(link, wanted, f"{seen!r} came, and the marker {marker!r} that was sent after them did not")
            break
        content = _content(message)
        link.client.settle(message)
        if content == marker:
            missing = Counter(map(str, bodies)) - Counter(map(str, seen))
            late = _overtaken(link, wanted, message, missing.total(), ordered=ordered) if missing else []
            seen += [_content(each) if by is None else by(each) for each in late]
            ordered &= not late
            break
        seen.append(content if by is None else by(message))
        messages.append(message)
    good = in_order(messages, seen, bodies) if ordered else sorted(map(str, seen)) == sorted(map(str, bodies))
    if not good:
        came, to_come = differing(seen, list(bodies))
        expected = f"{to_come} and nothing else come from {shown(link.destination)}"
        raise Broken(f"{came} came before the marker", expected=expected, cites=case.cites())
    case.witness(f"the marker {marker!r} came, and before it {seen!r}")


def _overtaken(link: AnyLink, wanted: str, marker: api.Message, missing: int, *, ordered: bool) -> list[api.Message]:
    """Return the messages of another mode or priority that a marker has overtaken, settled; without order, or after a cut, others, too."""
    free = not ordered or current_case().evidence.called({"Provider.sever"})
    order = marker.jms_delivery_mode, marker.jms_priority
    modes = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)
    markers: set[object] = {link.mark(mode=mode, priority=0) for mode in modes}
    found: list[api.Message] = []
    while markers and (message := _next(link, wanted)) is not None:
        link.client.settle(message)
        content = _content(message)
        if content in markers:
            markers.remove(content)
        elif free or (message.jms_delivery_mode, message.jms_priority) != order:
            found.append(message)
    while free and len(found) < missing and (message := _next(link, wanted)) is not None:
        link.client.settle(message)
        found.append(message)
    return found


def nothing_before(link: AnyLink, marker: str, send_marker: Callable[[], object], *, settle: bool = True) -> None:
    """Demand that the next message of a link is a marker that another path sends now."""
    case = current_case()
    wanted = f"nothing comes from {shown(link.destination)} before {marker!r}"
    case.marks.expected.append(wanted)
    send_marker()
    message = _next(link, wanted)
    if message is None:
        _missing(link, wanted, "not even the marker came")
    content = _content(message)
    if content != marker:
        raise Broken(f"{content!r} came first", expected=wanted, cites=case.cites())
    if message is not None and settle:
        link.client.settle(message)
    case.witness(f"the first to come was the marker {marker!r}")


def polls(link: AnyLink, text: str, *, beside: Sequence[str] = ()) -> None:
    """Demand that receive_no_wait returns a message that was sent before, called again for a bounded time.

    A provider may need some time to bring the message to the consumer, so a first null is no finding. Messages
    with a body from `beside` are passed over.
    """
    case = current_case()
    claim = f"receive_no_wait() finds {text!r}"
    case.marks.expected.append(claim)
    step = max(case.timing.deadline / 200, 1)
    for _ in range(200):
        message = works("receive_no_wait()", link.consumer.receive_no_wait)
        if message is not None:
            link.client.settle(message)
            if _content(message) in beside:
                continue
            equal("the message that receive_no_wait() gave", _content(message), text)
            return
        case.provider.clock.event().wait(step)
    _missing(link, claim, f"receive_no_wait() gave null for {case.timing.deadline} ms")


def _content(message: api.Message | None) -> object:
    return tried(lambda: body(message))


def _next(link: AnyLink, wanted: str) -> api.Message | None:
    """Receive one message, or None; a receive that raises gets a second look, as a missing message does."""
    try:
        return link.poll()
    except Exception as error:  # noqa: BLE001 - by any error no message was received
        _missing(link, wanted, f"receiving raised {type(error).__name__}: {error}", error)
    return None


def _missing(link: AnyLink, wanted: str, observed: str, error: Exception | None = None) -> None:
    """Refute the claim if another path on the destination works, else leave the case undecided."""
    case = current_case()
    cites = case.cites()  # before the second look, whose events decide nothing
    with contextlib.suppress(Exception):
        link.consumer.close()  # it would compete with the second look for the messages of a queue
    if delivers_at_all(case, link.destination):
        raise Broken(
            observed,
            expected=wanted,
            explanation="A second consumer, connected afresh, does get messages from this destination.",
            cites=cites,
        )
    raise Undecided(f"{observed}, and no other path to the destination delivers either", expected=wanted) from error
