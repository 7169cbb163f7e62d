"""Which messages a provider settled for certain, by what it showed: these never come again (6.2.11-3, 6.2.11-4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tck.programs.comparing.history import FAILURES, History
from tck.programs.comparing.outcomes import delivered, identity, views
from tck.programs.program import Observation
from tck.programs.state.objects import Consumer

_SETTLES = {"client": "acknowledge", "transacted": "commit"}
"""The call that settles what a session received, by its mode; in other modes no call of the program says when."""


def settled(history: History, seen: Sequence[Observation], end: str | None, key: object, until: int) -> bool:
    """Return whether a message was acknowledged or committed by a call that returned, and by nothing less certain.

    Args:
        history: What the steps of the program reach.
        seen: What the provider showed.
        end: The endpoint from which the message came.
        key: Which message it is.
        until: Number of the first step that counts no more.
    """
    return any(_settled(history, seen, at, consumer, until) for at, consumer in _shown(history, seen, end, key, until))


def _shown(
    history: History, seen: Sequence[Observation], end: str | None, key: object, until: int
) -> Iterator[tuple[int, Consumer]]:
    """Yield the steps in which the program received the message, with its consumer."""
    steps = history.expectation.program.steps
    for at, each in enumerate(seen[: min(until, len(steps))]):
        ok, on = each.get("ok"), str(steps[at].args.get("on"))
        given = {on: views(ok)} if steps[at].do in {"receive", "drain"} and isinstance(ok, dict) else {}
        for name, messages in (*given.items(), *delivered([each]).items()):
            consumer = history.rules.consumers.get(name)
            if consumer is not None and consumer.end.key == end and key in [identity(view) for view in messages]:
                yield at, consumer


def _settled(history: History, seen: Sequence[Observation], since: int, consumer: Consumer, until: int) -> bool:
    session = consumer.session
    for at in range(since + 1, min(until, len(seen))):
        step = history.expectation.program.steps[at]
        on = str(step.args.get("on"))
        message = history.rules.messages.get(on)
        mine = on == session.name or (message is not None and message.receiver is session)
        if step.do in FAILURES or (step.do == "close" and on == session.connection.name):
            return False
        if mine and step.do == _SETTLES.get(session.mode):
            return "ok" in seen[at]
        if mine and step.do in {"rollback", "recover", "close", "fail_commit"}:
            return False
    return False
