"""A file in bytes messages: one program cuts it into parts, another puts it together."""

from __future__ import annotations

from dataclasses import dataclass

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.values.seen import tried

PART = 64 * 1024
BUFFER = 1000
FILE = bytes(range(256)) * 900
LARGE = bytes(range(256)) * (4 * 1024 * 4)
"""4 MiB."""


@scenario("pj-file-transfer")
def test_a_file_in_bytes_messages(case: Case) -> None:
    """The receiver rebuilds the file from its parts; a body of 4 MiB arrives whole where the provider takes it."""
    queue = case.queue()
    receiving = case.spawn("the receiver", lambda: receiver(case, queue))
    lengths = sender(case, queue)
    parts = receiving.result(2 * case.timing.deadline)
    taken, large = large_body(case)
    with expect.for_row("pj-file-transfer-1"):
        expect.equal("the file is rebuilt", rebuilt(parts) == FILE, True)
        expect.true("the large body is unchanged", not taken or large == LARGE, "it differed")
    with expect.for_row("pj-file-transfer-2"):
        for number, length in enumerate(lengths, 1):
            counts = [count for part in parts if part.number == number for count in part.counts]
            expect.equal(f"the counts of part {number}", counts, [*[BUFFER] * (length // BUFFER), length % BUFFER, -1])
    with expect.for_row("pj-file-transfer-3"):
        expect.equal("the body lengths by part", [part.length for part in by_number(parts)], lengths)
    with expect.for_row("pj-file-transfer-4"):
        case.witness("the file came in parts")
        expect.record(f"a body of 4 MiB is {'carried' if taken else 'refused'}")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the file, as the receiver read it; `counts` are the results of readBytes."""

    number: int
    content: bytes
    counts: list[int]
    length: object


def sender(case: Case, queue: api.Queue) -> list[int]:
    """Send the file in parts; return the lengths of their bodies."""
    client = case.client()
    to_queue = client.sender(queue)
    cuts = [FILE[start : start + PART] for start in range(0, len(FILE), PART)]
    for number, cut in enumerate(cuts, 1):
        message = client.session.create_bytes_message()
        message.set_int_property("part", number)
        message.set_int_property("parts", len(cuts))
        message.write_bytes(cut)
        to_queue.send(message)
    client.close()
    return [len(cut) for cut in cuts]


def receiver(case: Case, queue: api.Queue) -> list[Part]:
    """Receive parts until the file is complete, or none comes."""
    client = case.client()
    consumer = client.consumer(queue)
    parts: list[Part] = []
    wanted = 1
    while len(parts) < wanted:
        message = consumer.receive(case.timing.deadline)
        if not isinstance(message, api.BytesMessage):
            break
        wanted = message.get_int_property("parts")
        content, counts = read(message)
        length = tried(lambda message=message: message.body_length)  # type: ignore[misc]
        parts.append(Part(message.get_int_property("part"), content, counts, length))
    client.close()
    return parts


def read(message: api.BytesMessage) -> tuple[bytes, list[int]]:
    """Read a body with a small buffer until nothing more comes; return it, and the results of readBytes."""
    content, counts, buffer = bytearray(), list[int](), bytearray(BUFFER)
    while not counts or counts[-1] > 0:
        counts.append(message.read_bytes(buffer))
        content += buffer[: max(counts[-1], 0)]
    return bytes(content), counts


def by_number(parts: list[Part]) -> list[Part]:
    """Sort parts by their number."""
    return sorted(parts, key=lambda part: part.number)


def rebuilt(parts: list[Part]) -> bytes:
    """Put the file together."""
    return b"".join(part.content for part in by_number(parts))


def large_body(case: Case) -> tuple[bool, bytes | None]:
    """Send a body of 4 MiB, which a provider may refuse; return whether it was taken, and the body that came."""
    client, queue = case.client(), case.queue()
    message = client.session.create_bytes_message()
    message.write_bytes(LARGE)
    try:
        client.sender(queue).send(message)
    except (api.JMSException, api.JMSRuntimeException):
        return False, None
    received = client.consumer(queue).receive(2 * case.timing.deadline)
    if not isinstance(received, api.BytesMessage):
        return True, None
    whole = bytearray(len(LARGE))
    return True, bytes(whole[: received.read_bytes(whole)])
