"""Byte streams behind URLs: files of several sizes travel through `jms://Queue/...` and `jms://Topic/...`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.applications.url_streams import (
    LENGTH,
    UrlError,
    UrlReader,
    Urls,
    UrlWriter,
    exactly,
    read_utf,
    write_utf,
)

_Stream = TypeVar("_Stream")

SIZES = (1, 1023, 1024, 1025, 5000)
TEXTS = ["Hello!", "Tarak Modi"]
TTL = 10_000
PAIRS = [f"Pair{number}" for number in range(20)]
OPTIONS = {"persistent": "false", "priority": "4", "timeToLive": str(TTL)}


@scenario("pj-url-streams", domain=("queue",))
def test_streams_behind_urls(case: Case) -> None:
    """What one stream writes another reads, byte for byte, in as many messages as there were flushes."""
    process = Process(case)
    queue, topic = process.reader("jms://Queue/ModiQueue"), process.reader("jms://Topic/ModiTopic")
    trips = {"the queue": round_trips(process, queue, "jms://Queue/ModiQueue")}
    trips["the topic"] = round_trips(process, topic, "jms://Topic/ModiTopic")
    flushed = three_flushes(process)
    plain, changed = optioned(process, {}), optioned(process, OPTIONS)
    together = process.all_at_once()

    with expect.for_row("pj-url-streams-1"):
        for path, trip in trips.items():
            expect.equal(f"the texts through {path}", trip.texts, TEXTS)
            expect.equal(f"the files through {path}", trip.files, [content(size) for size in SIZES])
            expect.equal(f"readBytes at the end of a message of {path}", trip.at_the_end, [-1] * len(SIZES))
    with expect.for_row("pj-url-streams-2"):
        expect.equal("the messages of three flushes and an empty one", flushed, [b"one", b"two", b"three"])
    with expect.for_row("pj-url-streams-3"):
        expect.equal("the headers without options", plain, [api.DeliveryMode.PERSISTENT, 9, True, 0])
    with expect.for_row("pj-url-streams-4"):
        expect.equal("the headers with options", changed, [api.DeliveryMode.NON_PERSISTENT, 4, True, TTL])
    with expect.for_row("pj-url-streams-5"):
        expect.equal("the bytes of twenty streams", together, {name: pair_content(name) for name in PAIRS})
    with expect.for_row("pj-url-streams-6"):
        for path, trip in trips.items():
            expect.equal(f"the lengths through {path}", trip.lengths, [*SIZES])
    with expect.for_row("pj-url-streams-7"):
        case.witness("streams were read")
        expect.record(f"bad options and a bad host are {' and '.join(refusals(process))}")
    with expect.for_row("pj-url-streams-8"):
        case.witness("streams were read")
        expect.record(f"a bad selector is refused, and the provider links {linked(process) or 'no exception'}")


def content(size: int) -> bytes:
    """Return a file of a size."""
    return bytes(number % 251 for number in range(size))


def pair_content(name: str) -> bytes:
    """Return the file of a pair of streams."""
    return f"the file of {name} ".encode() * 100


class Process:
    """A process with its streams: each name of a URL is a destination of the case."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._destinations: dict[tuple[str, str], api.Destination] = {}
        self.urls = Urls(lambda domain: case.client(domain=domain), self._find)

    def _find(self, domain: str, name: str) -> api.Destination:
        if (domain, name) not in self._destinations:
            self._destinations[domain, name] = self._case.destination(domain)
        return self._destinations[domain, name]

    def reader(self, url: str, selector: str | None = None) -> UrlReader:
        """Open a stream to read from, which waits as long as the profile allows."""
        return opened(lambda: self.urls.reader(url, int(self._case.timing.deadline), selector))

    def writer(self, url: str, options: Mapping[str, str] | None = None) -> UrlWriter:
        """Open a stream to write to."""
        return opened(lambda: self.urls.writer(url, options))

    def now(self) -> int:
        """Return the provider's time."""
        return self._case.now()

    def all_at_once(self) -> Mapping[str, bytes]:
        """Write and read with all pairs at once, a queue for each; return what each reader got."""
        readers = {name: self.reader(f"jms://Queue/{name}") for name in PAIRS}
        writers = {name: self.writer(f"jms://Queue/{name}") for name in PAIRS}

        def write(name: str) -> None:
            writers[name].write(pair_content(name))
            writers[name].flush()

        writing = [self._case.spawn(f"the writer of {name}", lambda name=name: write(name)) for name in PAIRS]  # type: ignore[misc]
        reading = {
            name: self._case.spawn(
                f"the reader of {name}",
                lambda name=name: exactly(readers[name], len(pair_content(name))),  # type: ignore[misc]
            )
            for name in PAIRS
        }
        for each in writing:
            each.result()
        return {name: each.result(2 * self._case.timing.deadline) for name, each in reading.items()}


def opened(call: Callable[[], _Stream]) -> _Stream:
    """Open a stream; an error of the provider is raised as the provider raised it."""
    try:
        return call()
    except UrlError as error:
        raise error.__cause__ or error from None


class Trip:
    """The texts and files as they were read, with the lengths that the messages told."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.files: list[bytes] = []
        self.lengths: list[int] = []
        self.at_the_end: list[int] = []


def round_trips(process: Process, reader: UrlReader, url: str) -> Trip:
    """Write two texts and files of all sizes, and read them."""
    trip, writer = Trip(), process.writer(url)
    for text in TEXTS:
        write_utf(writer, text)
    writer.flush()
    trip.texts = [read_utf(reader) for _ in TEXTS]
    for size in SIZES:
        writer.write(content(size))
        writer.flush()
        trip.files.append(exactly(reader, size))
        message = expect.present("the message that was read", reader.message)
        trip.lengths.append(message.get_int_property(LENGTH))
        trip.at_the_end.append(message.read_bytes(bytearray(1)))
    return trip


def three_flushes(process: Process) -> list[bytes]:
    """Flush three times with content and once without; return the content of each message up to the last."""
    with process.writer("jms://Queue/Flushes") as writer:
        for part in (b"one", b"", b"two", b"three", b"end"):
            writer.write(part)
            writer.flush()
    with process.reader("jms://Queue/Flushes") as reader:
        return list(iter(lambda: reader.read(100) or b"end", b"end"))


def optioned(process: Process, options: Mapping[str, str]) -> list[object]:
    """Write with options; return delivery mode, priority, whether it expires when it should, and its time to live."""
    before = process.now()
    with process.writer("jms://Queue/Options", options) as writer:
        writer.write(b"x")
    after = process.now()
    with process.reader("jms://Queue/Options") as reader:
        reader.read(1)
        return headers(reader, int(options.get("timeToLive", 0)), before, after)


def headers(reader: UrlReader, ttl: int, before: int, after: int) -> list[object]:
    """Return the headers of the message that a reader has read, with a word on whether it expires in time."""
    message = expect.present("the message with the options", reader.message)
    expires = message.jms_expiration - ttl if ttl else message.jms_expiration or before
    in_time = before - 5 <= expires <= after + 5
    return [message.jms_delivery_mode, message.jms_priority, in_time, ttl]


def refusals(process: Process) -> list[str]:
    """Set a bad option, give an option a bad value, and open a bad host; return how each ends."""
    writer = process.writer("jms://Queue/Options")
    calls = (
        lambda: writer.set("colour", "blue"),
        lambda: writer.set("priority", "10"),
        lambda: process.urls.writer("jms://Mailbox/X"),
    )
    return ["refused" if isinstance(error_of(call), UrlError) else "accepted" for call in calls]


def error_of(call: object) -> UrlError | None:
    """Call, and return the error."""
    try:
        call()  # type: ignore[operator]
    except UrlError as error:
        return error
    return None


def linked(process: Process) -> str:
    """Open a reader with a bad selector; return the text of the exception that the provider links."""
    error = error_of(lambda: process.urls.reader("jms://Queue/Options", 1, "no selector ="))
    return error.linked if error is not None else ""
