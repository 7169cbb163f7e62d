"""The operation that sends a request and waits for its reply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tck import api
from tck.programs.observing.environment import Environment
from tck.programs.observing.look import tried
from tck.programs.operations.operation import Operation
from tck.programs.program import Json, Step
from tck.programs.state.objects import (
    OpenOutcome,
)
from tck.programs.state.state import State


class _Answering(api.MessageListener):
    """Answers requests."""

    def __init__(self, session: Any, asked: list[Json]) -> None:
        self.session = session
        self.asked = asked

    def on_message(self, message: api.Message) -> None:
        """Send an answer to where the request wants it."""
        to = message.jms_reply_to
        self.asked.append(isinstance(to, (api.TemporaryQueue, api.TemporaryTopic)))
        answer = self.session.create_text_message("answer")
        answer.jms_correlation_id = message.jms_message_id
        self.session.create_producer(None).send(answer, destination=to)


def request(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Send a request with a requestor, over a destination of its own, to a client that answers; then close it."""
    session, kind = env.get(args["on"]), env.api_of(args["on"])
    to = getattr(env.provider, f"create_{kind}")(env.provider_name(f"request{len(env.made)}"))
    env.made.append(to)
    other = env.provider.connection_factory().create_connection()
    env.opened.append(other)
    asked: list[Json] = []
    answering = other.create_session()
    answering.create_consumer(to).message_listener = _Answering(answering, asked)
    other.start()
    requestor = getattr(env.provider, f"{kind}_requestor")(session, to)
    message = session.create_text_message("question")
    if args.get("preset"):
        message.jms_reply_to = to  # the requestor puts its own in its place
    reply = requestor.request(message)
    shown = {"answer": reply.text, "to": asked, "of": reply.jms_correlation_id == message.jms_message_id}
    requestor.close()
    other.close()
    return {**shown, "closed": tried(session.create_message)}


def _check_request(state: State, args: Mapping[str, Json]) -> None:
    session = state.usable(args["on"])
    if session.state != "open" or session.connection.api not in {"queue", "topic"} or session.listening:
        raise OpenOutcome("a requestor needs a session of its domain")
    if (
        session.mode not in {"auto", "dups_ok"}
        or not session.connection.started
        or session.consumers_of(state.consumers)
    ):
        raise OpenOutcome("a requestor assumes automatic acknowledgement")  # 9.2-35


def _note_request(state: State, step: Step, _: object) -> None:
    state.close_session(state.sessions[step.args["on"]])


OPERATIONS: Final[tuple[Operation, ...]] = (
    Operation(
        "request", request, check=_check_request, note=_note_request,
        member=lambda _, on: f"{'Topic' if on == 'TopicSession' else 'Queue'}Requestor.request", closes="on",
    ),
)  # fmt: skip
