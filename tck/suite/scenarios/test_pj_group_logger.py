"""Message groups: an application sends them, and a logger that knows only the standard properties writes them down."""

from __future__ import annotations

from dataclasses import dataclass

from tck import api
from tck.suite.support import Case, expect, scenario

GROUPS = ("g1", "g2", "g3")
SIZE = 5
LAST = SIZE + 1
"""The sequence number of the message of g2 that ends it all."""


@scenario("pj-group-logger")
def test_a_logger_of_message_groups(case: Case) -> None:
    """The logger rebuilds three interleaved groups, a selecting consumer gets one; on a queue each has its own."""
    places = [case.topic()] if case.domain == "topic" else [case.queue(), case.queue()]
    logger = Reader(case, places[0])
    chooser = Reader(case, places[-1], "JMSXGroupID = 'g2'")
    readings = [case.spawn("the logger", logger.read), case.spawn("the consumer of one group", chooser.read)]
    listed = application(case, places)
    logged, chosen = (reading.result(2 * case.timing.deadline) for reading in readings)
    with expect.for_row("pj-group-logger-1"):
        for each in (*logged, *chosen):
            expect.equal(f"the group and number of {each.text}", (each.group, each.number), each.as_set())
    with expect.for_row("pj-group-logger-2"):
        for group in GROUPS:
            expect.equal(f"the log of {group}", log(logged, group), [f"{group} {n}" for n in range(1, LAST)])
    with expect.for_row("pj-group-logger-3"):
        expect.equal("the messages chosen by the selector", texts(chosen), [f"g2 {n}" for n in range(1, LAST + 1)])
    with expect.for_row("pj-group-logger-4"):
        expect.equal("the names of the metadata", sorted(listed & STANDARD), sorted(STANDARD))


STANDARD = {"JMSXGroupID", "JMSXGroupSeq"}


@dataclass(frozen=True, slots=True)
class Seen:
    """A message as a reader saw it; `number` is an object, with the type that arrived."""

    text: str
    group: str | None
    number: object

    def as_set(self) -> tuple[str, api.Int]:
        """Return the group and number that the application set, which the text repeats."""
        group, number = self.text.split()
        return group, api.Int(int(number))


def application(case: Case, places: list[api.Queue] | list[api.Topic]) -> set[str]:
    """Send the groups interleaved, and one more message of g2; return the names that the metadata lists."""
    client = case.client()
    senders = [client.sender(place) for place in places]
    numbers = [(group, number) for number in range(1, SIZE + 1) for group in GROUPS]
    for group, number in [*numbers, ("g2", LAST)]:
        for to_place in senders:
            message = client.text(f"{group} {number}")
            message.set_string_property("JMSXGroupID", group)
            message.set_int_property("JMSXGroupSeq", number)
            to_place.send(message)
    return {str(name) for name in client.connection.meta_data.get_jmsx_property_names()}


class Reader:
    """A consumer that notes each message with its group and number."""

    def __init__(self, case: Case, place: api.Destination, selector: str | None = None) -> None:
        self._case = case
        self._consumer = case.client().consumer(place, selector)

    def read(self) -> list[Seen]:
        """Receive until the last message has come, or none comes."""
        seen: list[Seen] = []
        while not seen or seen[-1].text != f"g2 {LAST}":
            message = self._consumer.receive(self._case.timing.deadline)
            if not isinstance(message, api.TextMessage):
                break
            group, number = message.get_string_property("JMSXGroupID"), message.get_object_property("JMSXGroupSeq")
            seen.append(Seen(str(message.text), group, number))
        return seen


def log(seen: list[Seen], group: str) -> list[str]:
    """Write down a group by the standard properties alone, without the message that ends it all."""
    return [each.text for each in seen if each.group == group][:SIZE]


def texts(seen: list[Seen]) -> list[str]:
    """Return the texts."""
    return [each.text for each in seen]
