"""One program on two instances of the provider: on each alone, then with queues of the one and topics of the other."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.qspace import QSpace
from tck.suite.support.lifecycle.second_provider import second_provider, takes_setting

LINES = [f"line {number}" for number in range(1, 6)]
WANTED = ([b"red", b"green", b"blue"], LINES)
"""The results of the program: the entries of a tuple space as they are taken, and the lines of a chat."""


@scenario("pj-provider-factory")
def test_a_program_on_two_providers(case: Case) -> None:
    """The program has the same results on both, and their traffic does not meet, though destinations share a name."""
    with second_provider(case) as other:
        results = {"the first": program(case), "the second": program(other)}
        name = case.name("mixed")
        of_queue = Speaker(case, case.provider.create_queue(name), "to the queue")
        of_topic = Speaker(other, other.provider.create_topic(name), "to the topic")
        for speaker in (of_queue, of_topic, of_queue, of_topic):
            speaker.says()
        heard = [speaker.hears() for speaker in (of_queue, of_queue, of_topic, of_topic)]

    with expect.for_row("pj-provider-factory-1"):
        for provider, result in results.items():
            expect.equal(f"the results on {provider} provider", result, WANTED)
    with expect.for_row("pj-provider-factory-2"):
        same = results["the first"] == results["the second"]
        expect.record(f"the results of the same program are {'the same' if same else 'different'}")
    with expect.for_row("pj-provider-factory-3"):
        expect.equal("the texts of the queue", heard[:2], ["to the queue"] * 2)
        expect.equal("the texts of the topic", heard[2:], ["to the topic"] * 2)
    with expect.for_row("pj-provider-factory-4"):
        expect.record(f"the adapter {'takes' if takes_setting(case, 'tck-unknown') else 'refuses'} an unknown setting")


def program(case: Case) -> tuple[list[bytes | None], list[str]]:
    """Use a tuple space and a chat; return the entries taken and the lines heard."""
    space = QSpace(case.client(domain="queue"), case.queue())
    for colour in ("green", "red", "blue"):
        space.write(colour.encode(), colour=colour)
    taken = [space.takes(case.timing.deadline, selector) for selector in ("colour='red'", None, None)]
    room = case.topic()
    listening = case.client(domain="topic").consumer(room)
    speaker = case.client(domain="topic")
    speaking = speaker.sender(room)
    for line in LINES:
        speaking.send(speaker.text(line))
    return taken, [text_of(listening.receive(case.timing.deadline)) for _ in LINES]


def text_of(message: api.Message | None) -> str:
    """Return the text of a message, or what came in its place."""
    return str(message.text) if isinstance(message, api.TextMessage) else repr(message)


class Speaker:
    """A sender and a receiver of one destination."""

    def __init__(self, case: Case, destination: api.Destination, text: str) -> None:
        self._case = case
        self._client = case.client(domain="queue" if isinstance(destination, api.Queue) else "topic")
        self._consumer = self._client.consumer(destination)
        self._sender = self._client.sender(destination)
        self._text = text

    def says(self) -> None:
        """Send the text."""
        self._sender.send(self._client.text(self._text))

    def hears(self) -> str:
        """Wait for the next text."""
        return text_of(self._consumer.receive(self._case.timing.deadline))
