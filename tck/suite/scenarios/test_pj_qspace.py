"""A tuple space on a queue: cars are written with filters, blobs without, and takers ask for what they want."""

from __future__ import annotations

from collections.abc import Callable

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.qspace import FOREVER, QSpace, SpaceError

CARS = {
    b"green ex": {"year": "1999", "manufacturer": "Honda", "color": "green", "make": "civic", "model": "ex"},
    b"black ex": {"year": "1999", "manufacturer": "Honda", "color": "black", "make": "civic", "model": "ex"},
    b"red dx": {"year": "1999", "manufacturer": "Honda", "color": "red", "make": "civic", "model": "dx"},
    b"blue lx": {"year": "1997", "manufacturer": "Honda", "color": "blue", "make": "accord", "model": "lx"},
}
FOCUS = {"year": "2000", "manufacturer": "Ford", "color": "white", "make": "focus", "model": "zx"}
NEW_EX = "year='1999' And model='ex'"
CIVICS = "make='civic' aNd (model='ex' oR year='1999')"
LENGTHS = (0, 1, 255, 65_536)
BLOBS = [f"blob {number}".encode() for number in range(8)]
ROUNDS = 100


@scenario("pj-qspace")
def test_a_tuple_space_on_a_queue(case: Case) -> None:
    """Takers find the entries that their filters match, and leave all others as they are."""
    patience, queue = case.timing.deadline, case.queue()
    space, other = QSpace(case.client(), queue), QSpace(case.client(), queue)
    space.write(b"first", kind="first")
    at_once = space.takes(0, "kind='first'")
    first = at_once or space.takes(patience, "kind='first'")
    written = fill(space)
    taken = [space.takes(patience, NEW_EX), space.takes(patience, NEW_EX), space.takes(patience, "make='focus'")]
    no_more = space.takes(0, NEW_EX)
    numeric = space.takes(case.timing.delay, "year > 1998")
    waiting = case.spawn("a take without limit", lambda: other.takes(FOREVER, "kind='awaited'"))
    space.write(b"awaited", kind="awaited")
    awaited = waiting.result()
    civic = space.takes(patience, CIVICS)
    gone = {*taken, no_more, numeric, civic}
    left = [entry for entry in written if entry not in gone]
    rest = [space.takes(patience) for _ in left]

    with expect.for_row("pj-qspace-1"):
        found = [first, *sorted(map(str, taken)), awaited]
        expect.equal(
            "the entries found", found, [b"first", *map(str, (b"black ex", b"focus", b"green ex")), b"awaited"]
        )
    with expect.for_row("pj-qspace-2"):
        expect.record(f"the first receiveNoWait after the send {'sees' if at_once else 'does not see'} the message")
    with expect.for_row("pj-qspace-5"):
        expect.equal("the entries left by the filters", rest, left)
    with expect.for_row("pj-qspace-3"):
        expect.equal("a third entry for two that match", no_more, None)
    with expect.for_row("pj-qspace-4"):
        expect.equal("the entries that match, as they were taken", taken[:2], [b"green ex", b"black ex"])
    with expect.for_row("pj-qspace-6"):
        expect.equal(f"the entries after {ROUNDS} receivers with a filter", after_rounds(case), BLOBS)
    with expect.for_row("pj-qspace-7"):
        expect.equal("the entry taken by a number against a String", numeric, None)
    with expect.for_row("pj-qspace-8"):
        expect.equal("the entry taken by keywords in mixed case", civic, b"red dx")
    with expect.for_row("pj-qspace-9"):
        expect.equal("whether the content came back, by its length", unchanged(case), dict.fromkeys(LENGTHS, True))
    with expect.for_row("pj-qspace-10"):
        empty = QSpace(case.client(), case.queue(), filters=False)
        expect.equal("a take of nothing", ending(empty.take), "No message to Take")
        expect.equal("a take in vain", ending(lambda: empty.take(case.timing.delay)), "No message to Take")
        expect.equal("a filter", ending(lambda: empty.take(0, NEW_EX)), "Filters not Allowed in this space")
        expect.equal("a time of -2", ending(lambda: empty.take(-2)), "Invalid Timeout specified")
        empty.shut_down()
        expect.equal("use after the end", ending(empty.take), "This space has been shutdown and must be restarted.")


def fill(space: QSpace) -> list[bytes]:
    """Write cars and blobs in turn, more blobs, and a late car; return all in their order."""
    written: list[bytes] = []
    for blob, (car, filters) in zip(BLOBS[: len(CARS)], CARS.items(), strict=True):
        space.write(blob)
        space.write(car, **filters)
        written += [blob, car]
    for blob in BLOBS[len(CARS) :]:
        space.write(blob)
        written.append(blob)
    space.write(b"focus", **FOCUS)
    return [*written, b"focus"]


def after_rounds(case: Case) -> list[bytes | None]:
    """Write blobs, take in vain with a filter many times, write one more; return what is taken then."""
    space = QSpace(case.client(), case.queue())
    for blob in BLOBS[:-1]:
        space.write(blob)
    for _ in range(ROUNDS):
        space.takes(0, "color='none'")
    space.write(BLOBS[-1])
    return [space.takes(case.timing.deadline) for _ in BLOBS]


def unchanged(case: Case) -> dict[int, bool]:
    """Write contents of several lengths; return whether they come back as they were."""
    space = QSpace(case.client(), case.queue(), filters=False)
    for length in LENGTHS:
        space.write(pattern(length))
    return {length: space.takes(case.timing.deadline) == pattern(length) for length in LENGTHS}


def pattern(length: int) -> bytes:
    """Return bytes of all values."""
    return bytes(number % 256 for number in range(length))


def ending(take: Callable[[], bytes]) -> str:
    """Take; return the text of the error."""
    try:
        return f"took {take()!r}"
    except SpaceError as error:
        return str(error)
    except (api.JMSException, api.JMSRuntimeException) as error:
        return f"raised {type(error).__name__}"
