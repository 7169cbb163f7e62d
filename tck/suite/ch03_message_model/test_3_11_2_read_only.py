"""3.11.2 Read-only message body."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.client import Kind
from tck.suite.support.contents import (
    BODIED,
    READ_ONLY,
    carried,
    refused_writes,
    rewrite,
    where_received,
    writes_refused,
)
from tck.suite.support.seen import body


def _judge(case: Case, kind: Kind) -> None:
    wanted = {**dict.fromkeys(refused_writes(kind), READ_ONLY), "the body": "x"}
    for how, seen in where_received(case, kind, writes_refused(kind)).items():
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
    for kind in BODIED:
        received = carried(link, link.message(kind, "before"))
        expect.works(f"clearing and writing a received {kind} message", lambda: rewrite(received, "after"))
        seen[kind] = body(expect.works(f"sending on a rewritten {kind} message", lambda: carried(link, received)))
    expect.equal("the bodies that were sent on", seen, dict.fromkeys(BODIED, "after"))
