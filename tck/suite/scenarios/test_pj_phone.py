"""A phone over queues: the parties dial, talk, hang up and dial again; all they say is NON_PERSISTENT and urgent."""

from __future__ import annotations

from collections.abc import Mapping

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.client import Client, Consumer

LINES = 20
DIAL, OK, BUSY, HANGUP = (f"ControlMessage:{word}" for word in ("Dial", "OK", "Busy", "Hangup"))
TTL = 15_000
"""How long a message is kept, in ms."""


@scenario("pj-phone")
def test_phone_calls_over_queues(case: Case) -> None:
    """John and Bob talk, Carol finds Bob busy, Bob calls back on the same queues, and nobody answers an unknown number."""
    book = {f"{who}{end}": case.queue() for who in ("John", "Bob", "Carol", "Nobody") for end in ENDS}
    john, bob, carol = (Phone(case, name, book) for name in ("John", "Bob", "Carol"))
    john.dial("Bob")
    bob.answer(OK)
    first_answer = john.reads_answer()
    johns_ear, bobs_ear = john.listens_to("BobSender"), bob.listens_to("BobReceiver")
    carol_reads = case.spawn("Carol at the phone", lambda: carol.reads_until(HANGUP, "CarolReceiver"))
    carol.dial("Bob")
    bob.answer(BUSY)
    speaking = [
        case.spawn("John speaks", lambda: john.says(LINES, "BobReceiver")),
        case.spawn("Bob speaks", lambda: bob.says(LINES, "BobSender")),
    ]
    hearing = [
        case.spawn("John hears", lambda: john.hears(johns_ear)),
        case.spawn("Bob hears", lambda: bob.hears(bobs_ear)),
    ]
    for speech in speaking:
        speech.result(4 * case.timing.deadline)
    heard = dict(zip(("Bob", "John"), (each.result(2 * case.timing.deadline) for each in hearing), strict=True))
    bob.sends(HANGUP, "CarolReceiver")
    carols = carol_reads.result(2 * case.timing.deadline)
    bob.dial("John")
    john.answer(OK)
    bob.reads_answer()
    waited, unknown = john.dials_in_vain("Nobody", case.timing.delay)
    bob.answers_late("JohnReceiver", case.timing.delay)
    case.pass_time(case.timing.delay, "the OK that nobody reads expires")
    later_answer = john.polls_answer()

    lines = {who: [line for line in said if line != HANGUP] for who, said in heard.items()}
    with expect.for_row("pj-phone-2"):
        for who, said in lines.items():
            expect.equal(f"the lines of {who}", sorted(set(said)), sorted(numbered(who)))
    with expect.for_row("pj-phone-1"):
        for who, said in lines.items():
            expect.equal(f"the lines of {who} heard twice or never said", unplanned(said, numbered(who)), [])
    with expect.for_row("pj-phone-3"):
        for who, said in lines.items():
            once = list(dict.fromkeys(said))
            expect.equal(f"the lines of {who}", once, [line for line in numbered(who) if line in once])
    with expect.for_row("pj-phone-4"):
        expect.equal("the answer that came before its reader", first_answer, OK)
    with expect.for_row("pj-phone-5"):
        again = expect.works("to open a closed receiver again", lambda: john.listens_to("BobSender"))
        bob.sends("again", "BobSender", mode=api.DeliveryMode.PERSISTENT)
        heard_again = john.hears(again, until="again")
        expect.equal("the last line at the receiver that was opened again", heard_again[-1:], ["again"])
    with expect.for_row("pj-phone-6"):
        expect.true("Carol reads Busy", BUSY in carols, f"she read {carols}")
    with expect.for_row("pj-phone-7"):
        expect.equal("the answers to Carol beside Busy and the end", unplanned(carols, [BUSY, HANGUP]), [])
    with expect.for_row("pj-phone-8"):
        expect.equal("the answer of an unknown number", unknown, None)
        patient = waited >= case.timing.delay - case.timing.tolerance
        expect.true(
            f"the caller waits {case.timing.delay} ms for the answer", patient, f"the wait ended after {waited} ms"
        )
    with expect.for_row("pj-phone-9"):
        expect.equal("the answer that had expired", later_answer, None)


ENDS = ("Listener", "Receiver", "Sender")


def numbered(who: str) -> list[str]:
    """Return the lines that a party says."""
    return [f"{who}: line {number}" for number in range(1, LINES + 1)]


def unplanned(heard: list[str], said: list[str]) -> list[str]:
    """Return the lines that were heard more often than said, or never said."""
    return [line for number, line in enumerate(heard) if line in heard[:number] or line not in said]


class Phone:
    """A phone: one connection with five sessions, for dialling, the answer, the dials of others, the ear and the mouth."""

    def __init__(self, case: Case, name: str, book: Mapping[str, api.Queue]) -> None:
        self.name = name
        self._case = case
        self._book = book
        self._dialling = case.client()
        self._answers, self._dials, self._ear, self._mouth = (self._dialling.peer() for _ in range(4))
        self._listener = self._dials.consumer(book[f"{name}Listener"])
        self._producers = {client: client.sender() for client in (self._dialling, self._dials, self._mouth)}

    def dial(self, callee: str) -> None:
        """Ask another for a call."""
        self._send(self._dialling, f"{DIAL} {self.name}", f"{callee}Listener")

    def answer(self, word: str) -> None:
        """Wait for a dial, and answer it."""
        dial = self._listener.receive(self._case.timing.deadline)
        if isinstance(dial, api.TextMessage):
            caller = str(dial.text).removeprefix(f"{DIAL} ")
            self._send(self._dials, word, f"{caller}Receiver")

    def answers_late(self, queue: str, ttl: int) -> None:
        """Answer a caller who has left, with a message that is not kept for long."""
        self._send(self._dials, OK, queue, ttl=ttl)

    def reads_answer(self) -> str | None:
        """Open a receiver for the answer to a dial, wait for it, and close the receiver."""
        return self._reads(self._case.timing.deadline)

    def dials_in_vain(self, callee: str, patience: int) -> tuple[int, str | None]:
        """Dial, and wait this long in ms; return how long it took, and the answer."""
        self.dial(callee)
        begin = self._case.now()
        answer = self._reads(patience)
        return self._case.now() - begin, answer

    def polls_answer(self) -> str | None:
        """Look for an answer without waiting."""
        receiver = self._answers.consumer(self._book[f"{self.name}Receiver"])
        return _text(receiver.receive_no_wait())

    def _reads(self, patience: int) -> str | None:
        receiver = self._answers.consumer(self._book[f"{self.name}Receiver"])
        answer = receiver.receive(patience)
        receiver.close()
        return _text(answer)

    def listens_to(self, queue: str) -> Consumer:
        """Open the receiver of a call."""
        return self._ear.consumer(self._book[queue])

    def says(self, lines: int, queue: str) -> None:
        """Say numbered lines, and hang up."""
        for line in numbered(self.name)[:lines]:
            self.sends(line, queue)
        self.sends(HANGUP, queue)

    def sends(self, line: str, queue: str, *, mode: int = api.DeliveryMode.NON_PERSISTENT) -> None:
        """Say a line."""
        self._send(self._mouth, line, queue, mode=mode)

    def hears(self, receiver: Consumer, until: str = HANGUP) -> list[str]:
        """Hear lines until the last, or until nothing comes, and close the receiver."""
        heard: list[str] = []
        while heard[-1:] != [until] and (message := receiver.receive(self._case.timing.deadline)) is not None:
            heard.append(str(_text(message)))
        receiver.close()
        return heard

    def reads_until(self, last: str, queue: str) -> list[str]:
        """Open a receiver, and hear lines until the last."""
        return self.hears(self._answers.consumer(self._book[queue]), last)

    def _send(
        self,
        client: Client,
        text: str,
        queue: str,
        *,
        ttl: int = TTL,
        mode: int = api.DeliveryMode.NON_PERSISTENT,
    ) -> None:
        self._producers[client].send(client.text(text), to=self._book[queue], mode=mode, priority=9, ttl=ttl)


def _text(message: api.Message | None) -> str | None:
    return message.text if isinstance(message, api.TextMessage) else None
