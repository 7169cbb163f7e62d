"""The receipts of one message: which steps gave it to a consumer, by what a provider showed, and which calls settled it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tck.programs.comparing.history import FAILURES, History
from tck.programs.comparing.outcomes import delivered, identity, views
from tck.programs.operations import OPERATIONS, Compared
from tck.programs.program import Json, Observation
from tck.programs.state.objects import Session

_FLOW: Final = frozenset(name for name, each in OPERATIONS.items() if each.compared is Compared.MESSAGES)
_SETTLES: Final = {"client": "acknowledge", "transacted": "commit"}
"""The call that settles what a session received, by its mode; in other modes no call of the program says when."""
_TAKES_BACK: Final = frozenset({"rollback", "recover", "close", "fail_commit"})


def receipts(
    history: History, seen: Sequence[Observation], end: str | None, message: Json, until: int
) -> Iterator[tuple[int, str]]:
    """Yield the steps that gave a message of an endpoint to a consumer, with the consumer's name.

    Args:
        history: What the steps of the program reach.
        seen: What the provider showed.
        end: The endpoint from which the message came.
        message: The message, as it was shown.
        until: Number of the first step that counts no more.
    """
    steps, ends, key = history.expectation.program.steps, history.expectation.ends, identity(message)
    for at, each in enumerate(seen[: min(until, len(steps))]):
        step, ok = steps[at], each.get("ok")
        on = str(step.args.get("on"))
        if isinstance(ok, dict) and ends.get(on, {}).get("end") == end:
            if step.do in _FLOW:
                yield from ((at, on) for view in views(ok) if identity(view) == key)
            elif step.do == "receive_body" and ok.get("got") is not None and ok["got"] == message.get("body"):
                yield at, on
        for name, given in delivered([each]).items():
            if ends.get(name, {}).get("end") == end:
                yield from ((at, name) for view in given if identity(view) == key)


def settling(history: History, session: Session, since: int, until: int) -> int | None:
    """Return the step that settles what a session received at a step; None where none does, or something else came first.

    Args:
        history: What the steps of the program reach.
        session: The session.
        since: Number of the step that received.
        until: Number of the first step that counts no more.
    """
    for at in range(since + 1, until):
        step = history.expectation.program.steps[at]
        on = str(step.args.get("on"))
        message = history.rules.messages.get(on)
        mine = on == session.name or (message is not None and message.receiver is session)
        if step.do in FAILURES or (step.do == "close" and on == session.connection.name):
            return None
        if mine and step.do == _SETTLES.get(session.mode):
            return at
        if mine and step.do in _TAKES_BACK:
            return None
    return None


def settled(history: History, seen: Sequence[Observation], end: str | None, message: Json, until: int) -> bool:
    """Return whether a message was acknowledged or committed by a call that returned: it is never redelivered (6.2.11-3, 6.2.11-4).

    Args:
        history: What the steps of the program reach.
        seen: What the provider showed.
        end: The endpoint from which the message came.
        message: The message, as it was shown.
        until: Number of the first step that counts no more.
    """
    until, steps = min(until, len(seen)), history.expectation.program.steps
    for at, name in receipts(history, seen, end, message, until):
        consumer = (
            None if steps[at].do == "receive_body" else history.rules.consumers.get(name)
        )  # which body it was is a guess
        by = None if consumer is None else settling(history, consumer.session, at, until)
        if by is not None and "ok" in seen[by]:
            return True
    return False


def in_closed_hands(history: History, seen: Sequence[Observation], end: str | None, message: Json, until: int) -> bool:
    """Return whether a message had been received in CLIENT_ACKNOWLEDGE by a consumer that was closed before a step.

    Args:
        history: What the steps of the program reach.
        seen: What the provider showed.
        end: The endpoint from which the message came.
        message: The message, as it was shown.
        until: Number of the step.
    """
    names = {name for _, name in receipts(history, seen, end, message, until)}
    gone = [history.rules.consumers[each] for each in names & history.gone[until] & {*history.rules.consumers}]
    return any(each.session.mode == "client" for each in gone)
