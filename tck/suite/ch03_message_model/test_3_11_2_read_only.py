"""3.11.2 Read-only message body."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.body_calls import body_writes
from tck.suite.support.clients.listeners import Listener
from tck.suite.support.clients.messages import READ_ONLY, carried, rewrite
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.values.kinds import BODIED, Kind
from tck.suite.support.values.seen import body, tried


def _where_received(
    case: Case, kind: Kind, act: Callable[[api.Message], Mapping[str, object]]
) -> Mapping[str, Mapping[str, object]]:
    """Call `act` with a received message of a kind, and with one that a listener got.

    Raises:
        Undecided: the listener was not called within the profile's deadline.
    """
    link = case.link()
    seen = {"received": act(carried(link, link.message(kind, "x")))}
    done = case.provider.clock.event()

    def hear(message: api.Message, _: int) -> None:
        seen["heard"] = act(message)
        done.set()

    link.consumer.message_listener = Listener(hear)
    other = case.link(destination=link.destination, consumes=False)
    other.send(other.message(kind, "x"))
    if not done.wait(case.timing.deadline):
        raise Undecided("the listener was not called")
    return seen


def _refused(case: Case, kind: Kind, message: Any) -> Mapping[str, object]:
    """Try every way to write, into the map entry that is there and into a new one, and show the body afterwards."""
    names = ("body", "new") if kind == "map" else ("body",)
    seen = {
        f"{what} {name}": tried(call) for name in names for what, call in body_writes(case, kind, message, name).items()
    }
    return {**seen, "the body": tried(lambda: body(message))}


def _judge(case: Case, kind: Kind) -> None:
    for how, seen in _where_received(case, kind, partial(_refused, case, kind)).items():
        wanted = {**dict.fromkeys(seen, READ_ONLY), "the body": "x"}
        expect.equal(f"writes to a {kind} message that was {how}", seen, wanted)


@asserts("3.11.2-1", "10.3-41", variant="text")
def test_a_received_text_is_read_only(case: Case) -> None:
    """Setting the text of a message that was received, or given to a listener, raises MessageNotWriteableException."""
    _judge(case, "text")


@asserts("3.11.2-2", "10.3-41", variant="map")
def test_a_received_map_is_read_only(case: Case) -> None:
    """Setting an entry of a map message that was received, or given to a listener, raises MessageNotWriteableException."""
    _judge(case, "map")


@asserts("3.11.2-3", "10.3-41", variant="object")
def test_a_received_object_is_read_only(case: Case) -> None:
    """Setting the object of a message that was received, or given to a listener, raises MessageNotWriteableException."""
    _judge(case, "object")


@asserts("3.11.2-4", "10.3-41", variant="stream")
def test_a_received_stream_is_read_only(case: Case) -> None:
    """Writing to a stream message that was received, or given to a listener, raises MessageNotWriteableException."""
    _judge(case, "stream")


@asserts("3.11.2-5", "10.3-41", variant="bytes")
def test_received_bytes_are_read_only(case: Case) -> None:
    """Writing to a bytes message that was received, or given to a listener, raises MessageNotWriteableException."""
    _judge(case, "bytes")


@asserts("3.11.2-6")
def test_a_cleared_message_is_like_a_new_one(case: Case) -> None:
    """After clear_body() a received message can be written and sent on, and arrives with its new body."""
    link = case.link()
    seen: dict[str, object] = {}
    writes: dict[str, object] = {}
    for kind in BODIED:
        received = carried(link, link.message(kind, "before"))
        received.clear_body()
        writes |= {f"{kind} {what}": tried(call) for what, call in body_writes(case, kind, received).items()}
        expect.works(f"clearing and writing a received {kind} message", lambda: rewrite(received, "after"))
        seen[kind] = body(expect.works(f"sending on a rewritten {kind} message", lambda: carried(link, received)))
    expect.equal("the bodies that were sent on", seen, dict.fromkeys(BODIED, "after"))
    expect.equal("every way to write after clear_body()", writes, dict.fromkeys(writes))
