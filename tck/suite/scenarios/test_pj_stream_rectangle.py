"""A rectangle in a stream message: its sides are written, reset, sent, read as other types, and written anew."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.deliveries import from_consumer
from tck.suite.support.values.seen import tried

SIDES = [10, 20, 50, 30]
NOT_READABLE, NOT_WRITEABLE, WRONG_FORMAT, AT_THE_END = (
    f"raises {each.__name__}"
    for each in (
        api.MessageNotReadableException,
        api.MessageNotWriteableException,
        api.MessageFormatException,
        api.MessageEOFException,
    )
)


@scenario("pj-stream-rectangle")
def test_a_rectangle_in_a_stream(case: Case) -> None:
    """The sides are write-only until reset, then read-only; they read as int, long and text, and not beyond the last."""
    queue = case.queue()
    drawn = draw(case, queue)
    stream = received(case, queue)
    at_receipt = tried(lambda: stream.write_int(1))
    shorts, texts, longs, ints = (sides(stream, each) for each in ("short", "string", "long", "int"))
    past_the_end = tried(stream.read_int)
    wrong_reads = misread(stream)
    anew = redrawn(stream)

    with expect.for_row("pj-stream-rectangle-1"):
        expect.equal("read before reset", drawn["read before reset"], NOT_READABLE)
    with expect.for_row("pj-stream-rectangle-2"):
        expect.equal("write after reset", drawn["write after reset"], NOT_WRITEABLE)
        expect.equal("write on receipt", at_receipt, NOT_WRITEABLE)
    with expect.for_row("pj-stream-rectangle-3"):
        expect.equal("the sides as ints, longs and texts", [ints, longs, texts], [SIDES, SIDES, [*map(str, SIDES)]])
        expect.equal("the sides as shorts", shorts, [WRONG_FORMAT] * 4)
    with expect.for_row("pj-stream-rectangle-4"):
        expect.equal("read past the end", [drawn["read past the end"], past_the_end], [AT_THE_END] * 2)
    with expect.for_row("pj-stream-rectangle-5"):
        expect.equal("a read as short, then as int", wrong_reads, [WRONG_FORMAT, SIDES[0]])
    with expect.for_row("pj-stream-rectangle-6"):
        expect.equal("the body that was written anew", anew, REDRAWN)


REDRAWN = {"read after clearBody": NOT_READABLE, "text as boolean": True, "int": 7, "the property": "blue"}


def draw(case: Case, queue: api.Queue) -> dict[str, object]:
    """Write the sides, look at them, and send them; return the results of the steps."""
    client = case.client()
    stream: api.StreamMessage = client.session.create_stream_message()
    stream.set_string_property("colour", "blue")
    for side in SIDES:
        stream.write_int(side)
    steps = {"read before reset": tried(stream.read_int)}
    stream.reset()
    steps["the sides"] = [tried(stream.read_int) for _ in SIDES]
    steps["read past the end"] = tried(stream.read_int)
    steps["write after reset"] = tried(lambda: stream.write_int(1))
    client.sender(queue).send(stream)
    return steps


def received(case: Case, queue: api.Queue) -> api.StreamMessage:
    """Receive the stream on another connection."""
    message = from_consumer(case, case.client().consumer(queue))
    return expect.present("the stream message", message if isinstance(message, api.StreamMessage) else None)


def sides(stream: api.StreamMessage, kind: str) -> list[object]:
    """Read each side as a type, behind those before it, which are read as ints."""
    read: list[object] = []
    for before in range(len(SIDES)):
        stream.reset()
        for _ in range(before):
            tried(stream.read_int)
        read.append(tried(getattr(stream, f"read_{kind}")))
    return read


def misread(stream: api.StreamMessage) -> list[object]:
    """Read the first side as short, then as int."""
    stream.reset()
    return [tried(stream.read_short), tried(stream.read_int)]


def redrawn(stream: api.StreamMessage) -> dict[str, object]:
    """Clear the received body, write another, and read it."""
    stream.clear_body()
    steps = {"read after clearBody": tried(stream.read_int)}
    stream.write_string("true")
    stream.write_int(7)
    stream.reset()
    steps |= {"text as boolean": tried(stream.read_boolean), "int": tried(stream.read_int)}
    return {**steps, "the property": stream.get_string_property("colour")}
