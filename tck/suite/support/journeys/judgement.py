"""The judgement of a journey: every deviation from what was sent, at the row that owns it.

The rows of each look are data; the functions compare and yield findings, they raise nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tck import api
from tck.suite.support.clients.messages import READ_ONLY
from tck.suite.support.journeys.cargo import LOAD, seen_header
from tck.suite.support.journeys.comparing import as_returned, at_its_end, comparable_body, same, short, unlike
from tck.suite.support.journeys.manifest import CHANGED, LATE, NOISE, Arrival, Look, Sent, noise_row
from tck.suite.support.journeys.model import IN_ONE_SESSION
from tck.suite.support.journeys.owners import (
    AT_RECEIVER,
    AT_SENDER,
    BODY_BY_CALL,
    BODY_ROW,
    CLIENTS,
    HEADER_NAMES,
    PRESET,
    READ_ONLY_ROW,
    SET_BY_PROVIDER,
    arrival_rows,
    client_row,
)
from tck.suite.support.journeys.receiving import fails
from tck.suite.support.journeys.travel import Travel
from tck.suite.support.values.jmsx import TYPES as JMSX
from tck.suite.support.values.seen import tried

_PREFIX: Final = "ID:"
_OWN: Final = frozenset({"fresh", "sent twice", "filled again"})
"""Provenances of messages whose groups are the sender's."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A deviation: the rows it breaks, the owner first, and one sentence."""

    rows: tuple[str, ...]
    seen: str


def findings(travel: Travel) -> Iterator[Finding]:
    """Yield every deviation of a journey."""
    judge = _Judge(travel)
    yield from judge.senders()
    yield from judge.deliveries()
    yield from judge.presence()
    yield from judge.browsed()
    yield from judge.bodies()
    yield from judge.second_look()


class _Judge:
    def __init__(self, travel: Travel) -> None:
        self.travel, self.journey, self.case = travel, travel.journey, travel.case
        self.sent = travel.dispatch.manifest.sent
        self.slack = self.case.timing.tolerance
        self.delays = self.case.offers("delivery delays")
        self.broken: set[tuple[int, str, bool, int]] = set()

    # -- the sender's side -----------------------------------------------------------------------------------------

    def senders(self) -> Iterator[Finding]:
        """Judge the sender's objects as they were after the send."""
        for sent in self.sent:
            where = f"of the {sent.words} after the send"
            for row, what, seen, fits, wanted in self._after(sent):
                if not fits:
                    rows: tuple[str, ...] = ("3.4.11-9",) if self._is_foreign(sent) else (row,)
                    unset = seen == 0 and what != "jms_priority"  # no time was there before
                    if what in PRESET and what in sent.before and same(seen, sent.before[what]) and not unset:
                        rows = (PRESET[what], *rows)
                    yield Finding(rows, f"{what} {where} was {seen!r}, not {wanted}")
            if sent.writes is not None:
                yield from self._still_read_only(sent, sent.writes)
            before = sent.before.get("jms_message_id")
            if self.journey.ids == "enabled" and before is not None and before == sent.after.get("jms_message_id"):
                yield Finding(("3.4.3-1",), f"JMSMessageID {where} was {before!r}, the one that it had before")
        ids = [one.after["jms_message_id"] for one in self.sent if one.after.get("jms_message_id") is not None]
        if len(set(ids)) < len(ids):
            twice = sorted({str(one) for one in ids if ids.count(one) > 1})
            row = "3.4.3-4" if self.journey.ids == "enabled" else "3.4.3-9"
            yield Finding((row,), f"JMSMessageID {twice[0]} was of several messages")

    def _still_read_only(self, sent: Sent, writes: tuple[object, object]) -> Iterator[Finding]:
        """Judge what became of writes into a received message after it was sent on."""
        rows = ("3.5.3-2", READ_ONLY_ROW.get(sent.load.kind, "") if sent.load is not None else "")
        for what, row, ending in zip(("a property", "the body"), rows, writes, strict=True):
            if row and ending != READ_ONLY:
                yield Finding((row,), f"writing {what} of the {sent.words} after it was sent on ended with {ending!r}")

    def _after(self, sent: Sent) -> Iterator[tuple[str, str, object, bool, object]]:
        """Yield row, name, seen value, whether it fits and the wanted value of each header after the send."""
        after, terms, load = sent.after, sent.terms, sent.load

        def exactly(row: str, name: str, wanted: object) -> tuple[str, str, object, bool, object]:
            return row, name, after[name], same(after[name], wanted), repr(wanted)

        def at(row: str, name: str, offset: int) -> tuple[str, str, object, bool, object]:
            seen = after[name]
            fits = isinstance(seen, int) and sent.sending.holds(seen, offset)
            return row, name, seen, fits, f"the time {sent.sending} and {offset} ms"

        yield exactly("3.4.1-2", "jms_destination", sent.destination)
        yield exactly("3.4.2-2", "jms_delivery_mode", terms.mode)
        yield exactly("3.4.10-2", "jms_priority", terms.priority)
        yield at("3.4.9-1", "jms_expiration", terms.ttl) if terms.ttl else exactly("3.4.9-5", "jms_expiration", 0)
        if self.delays:
            yield at("3.4.13-1" if terms.delay else "3.4.13-2", "jms_delivery_time", terms.delay)
        yield self._stamp(at("3.4.4-2", "jms_timestamp", 0))
        yield self._id(after["jms_message_id"])
        yield exactly("3.4.7-4", "jms_redelivered", sent.flag)
        yield exactly("3.4.11-6", "jms_reply_to", sent.reply_to)
        if load is not None:
            for name, value in load.headers.items():
                yield exactly("3.4.11-6", name, value)

    def _stamp(self, normal: tuple[str, str, object, bool, object]) -> tuple[str, str, object, bool, object]:
        _, name, seen, fits, wanted = normal
        if self.journey.timestamps == "enabled":
            return normal
        return "3.4.4-6", name, seen, fits or seen == 0, f"0 or {wanted}"

    def _id(self, seen: object) -> tuple[str, str, object, bool, object]:
        whole = isinstance(seen, str) and seen.startswith(_PREFIX) and len(seen) > len(_PREFIX)
        if self.journey.ids == "disabled":
            return "3.4.3-9", "jms_message_id", seen, whole or seen is None, "null or an id"
        row = "3.4.3-3" if isinstance(seen, str) and seen else "3.4.3-2"
        return row, "jms_message_id", seen, whole, "an id"

    def _is_foreign(self, sent: Sent) -> bool:
        return self.journey.provenance == "foreign" and sent.load is not None

    # -- deliveries ------------------------------------------------------------------------------------------------

    def deliveries(self) -> Iterator[Finding]:
        """Judge every delivery: what the message holds, its flag and count, and the time."""
        for arrival in self.travel.reception.arrivals:
            if arrival.sent is None or arrival.sent is self.travel.last:
                continue
            look = arrival.taken()
            where = f"of the {arrival.sent.words}, delivery {arrival.turn}"
            yield from self._headers(arrival.sent, look.headers, where, arrival.turn)
            yield from self._content(arrival.sent, look, where, arrival.turn)
            yield from self._repetition(arrival, look, where)
            yield from self._read_only(arrival, look, where)
            if arrival.at < arrival.sent.sending.called + arrival.sent.terms.delay - self.slack:
                yield Finding(
                    ("3.4.13-6",), f"the {arrival.sent.words} arrived at {arrival.at}, before its delivery time"
                )

    def _due(self, sent: Sent, seen: object) -> bool:
        """Whether a delivery time is right at the receiver although the sender's object did not get it, which is another row's."""
        return isinstance(seen, int) and sent.sending.holds(seen, sent.terms.delay)

    def _headers(self, sent: Sent, seen: Mapping[str, object], where: str, turn: int) -> Iterator[Finding]:
        for name, row in AT_RECEIVER.items():
            if name == "jms_delivery_time" and not self.delays:
                continue
            wanted = sent.destination if name == "jms_destination" else sent.after[name]
            if name == "jms_delivery_time" and self._due(sent, seen[name]) and not self._due(sent, wanted):
                continue
            if not same(seen[name], wanted):
                yield Finding((row,), f"{name} {where} was {seen[name]!r}, not {wanted!r}")
        load = sent.load
        clients = {"jms_reply_to": sent.reply_to, **(load.headers if load is not None else {})}
        for name, wanted in clients.items():
            if not same(seen[name], wanted):
                row = client_row(name, wanted)
                rows = self._rows_of_change(row, name, seen[name], sent, turn, "3.9-2", "3.10-6")
                yield Finding(rows, f"{name} {where} was {seen[name]!r}, not {wanted!r}")

    def _rows(self, row: str, name: str, sent: Sent, turn: int, again: str) -> tuple[str, ...]:
        """Return the row of a part, or that of the condition if the part was right without it."""
        if sent.load is None or row not in CLIENTS:
            return (row,)
        number = sent.load.number
        self.broken.add((number, name, sent.again, turn))
        right_before = (number, name, sent.again, 1) not in self.broken
        if self.journey.repeats and turn > 1 and right_before:
            return (again,)
        if self.journey.provenance == "foreign":
            return ("3.12-2",) if row in BODY_ROW.values() else ("3.12-3",)
        if sent.again and (number, name, False, turn) not in self.broken:
            return ("3.9-4",)
        return (row,)

    def _rows_of_change(
        self, row: str, name: str, seen: object, sent: Sent, turn: int, late: str, again: str
    ) -> tuple[str, ...]:
        """Return the row that forbids a later change by the sender, or by a receiver, where that is what was seen."""
        if LATE in str(seen):
            return (late,)
        return (again,) if CHANGED in str(seen) else self._rows(row, name, sent, turn, again)

    def _content(self, sent: Sent, look: Look, where: str, turn: int) -> Iterator[Finding]:
        load = sent.load
        if load is None:
            return
        wanted = load.wanted_properties()
        for name, value in wanted.items():
            seen = look.properties.get(name)
            if name.startswith("JMSXGroup"):
                if self.journey.provenance in _OWN and not same(seen, value):
                    yield Finding(
                        ("3.5.9-4" if name == "JMSXGroupID" else "3.5.9-5",),
                        f"{name} {where} was {seen!r}, not {value!r}",
                    )
            elif not same(seen, value):
                row = "3.5.4-9" if unlike(seen, value) else "3.12-12" if value is None else "3.5.3-1"
                yield Finding(
                    self._rows(row, name, sent, turn, "3.10-5"), f"property {name} {where} was {seen!r}, not {value!r}"
                )
        for name, value in look.properties.items():
            if name not in wanted and (stranger := self._stranger(name, value)) is not None:
                rows = self._rows_of_change(stranger, name, value, sent, turn, "3.9-2", "3.10-5")
                yield Finding(rows, f"property {name} {where} was {value!r}, and nobody had set it")
        if self.delays and "JMSXDeliveryCount" not in look.properties:
            yield Finding(("3.5.9-3",), f"JMSXDeliveryCount {where} was missing")
        if not same(look.body, load.wanted_body()):
            again = "3.11-11" if at_its_end(look.body) else "3.10-4"
            rows = self._rows_of_change(BODY_ROW[load.kind], "body", look.body, sent, turn, "3.9-1", again)
            yield Finding(rows, f"the body {where} was {short(look.body)}, not {short(load.wanted_body())}")

    def _stranger(self, name: str, value: object) -> str | None:
        """Return the row that a property breaks which the sender did not set; None for those that a provider may add."""
        if name == "JMSXState":
            return "3.5.9-14"
        if name in SET_BY_PROVIDER:
            return None if isinstance(value, JMSX[name]) else "3.5.9-2"
        if name.startswith("JMS_"):
            return None
        if name in {"JMSXGroupID", "JMSXGroupSeq"} and self.journey.provenance not in _OWN:
            return None
        if name.startswith("JMSX"):
            return "3.5.9-1"
        return "3.5.6-3" if name in HEADER_NAMES else "3.5.10-1"

    def _repetition(self, arrival: Arrival, look: Look, where: str) -> Iterator[Finding]:
        flag, count = look.headers["jms_redelivered"], look.properties.get("JMSXDeliveryCount")
        number = int(count.value) if isinstance(count, api.Int) else 0
        counted = isinstance(count, api.Int) and self.delays
        before = [one for one in self.travel.reception.arrivals if one.sent is arrival.sent and one.turn < arrival.turn]
        if before and flag is not True:
            elsewhere = self.journey.delivery not in IN_ONE_SESSION
            yield Finding(("3.4.7-2" if elsewhere else "3.4.7-1",), f"JMSRedelivered {where} was {flag!r}")
        if before and counted and number < 2 and not self.journey.broken:
            yield Finding(("3.5.11-2",), f"JMSXDeliveryCount {where} was {number}")
        if arrival.turn == 1 and not self.travel.touched:
            if counted and number != 1:
                yield Finding(("3.5.11-1",), f"JMSXDeliveryCount {where} was {number}")
            if flag is not False:
                row = "3.4.11-5" if arrival.sent is not None and arrival.sent.flag else "3.5.11-3"
                yield Finding((row,), f"JMSRedelivered {where} was {flag!r}")
        # a provider that failed may have forgotten the count; one that lost a link only has not
        failed = self.journey.delivery in {"after a restart", "after a kill"}
        if counted and not failed and (flag is True) != (number >= 2):
            row = "3.5.11-3" if flag is True else "3.5.11-4"
            yield Finding((row,), f"JMSRedelivered {where} was {flag!r} with a JMSXDeliveryCount of {number}")

    def _read_only(self, arrival: Arrival, look: Look, where: str) -> Iterator[Finding]:
        if look.property_write != READ_ONLY:
            yield Finding(("3.5.3-2",), f"setting a property {where} ended with {look.property_write!r}")
        load = arrival.sent.load if arrival.sent is not None else None
        if load is not None and look.body_write != READ_ONLY:
            yield Finding((READ_ONLY_ROW[load.kind],), f"writing the body {where} ended with {look.body_write!r}")

    # -- presence --------------------------------------------------------------------------------------------------

    def presence(self) -> Iterator[Finding]:
        """Judge that all came, each once, in order, and nothing else."""
        if self.journey.receipt == "receive body":
            yield from self._left()
            return
        for arrival in self.travel.reception.arrivals:
            if arrival.sent is None:
                row = noise_row(arrival.message)
                rows = (row,) if row else arrival_rows(self.journey, "extra", "sent")
                yield Finding(rows, f"a message arrived that must not: {arrival.message}")
        owed = {1, 2} if self.journey.repeats else {1}
        for turn in sorted({*owed, *(arrival.turn for arrival in self.travel.received)}):
            came = [one.sent for one in self.travel.reception.arrivals if one.turn == turn]
            missing = [one.words for one in self.sent if one not in came and (turn == 1 or self._owed_again(one))]
            if missing:
                yield Finding(
                    arrival_rows(self.journey, "missing", "first" if turn == 1 else "again"),
                    f"{len(missing)} of {len(self.sent)} messages did not arrive, delivery {turn}: {missing[0]}",
                )
            yield from self._order([one for one in came if one in self.sent], turn)
        for sent in self.travel.reception.overtaken if self.journey.delay == "none" else ():
            yield Finding(("8.7-2",), f"the listener failed at the {sent.words} and was called with another one next")
        yield from self._repeated()

    def _owed_again(self, sent: Sent) -> bool:
        """Whether a message has to come a second time: one that never came is missing already."""
        return self._repeats(sent) and any(one.sent is sent for one in self.travel.reception.arrivals)

    def _repeats(self, sent: Sent) -> bool:
        """Whether a message is delivered for the second time."""
        return self.journey.delivery != "after a failed listener" or fails(sent, self.travel.number)

    def _repeated(self) -> Iterator[Finding]:
        if self.journey.ack == "dups_ok":
            return
        settled = self.travel.after_the_end
        again = [one.sent.words for one in settled if one.sent in self.sent and one.sent is not None]
        if again:
            rows = arrival_rows(self.journey, "extra", "settled")
            yield Finding(rows, f"{len(again)} messages were redelivered after they were settled: {again[0]}")
        last = [one.sent for one in self.travel.received if one.sent in self.sent]
        if len(set(map(id, last))) < len(last):
            rows = arrival_rows(self.journey, "extra", "settled" if self.journey.ack == "auto" else "sent")
            yield Finding(rows, f"{len(last)} deliveries of {len(set(map(id, last)))} messages")
        if self.travel.last not in [one.sent for one in settled] and self.travel.reception.arrivals:
            yield Finding(arrival_rows(self.journey, "missing", "sent"), "the marker at the end did not arrive")
        yield from self._left()

    def _left(self) -> Iterator[Finding]:
        left = [one.words for one in self.travel.left if isinstance(one, Sent) and self._settled(one)]
        if left:
            rows = arrival_rows(self.journey, "extra", "settled")
            yield Finding(rows, f"{len(left)} settled messages came to a new client: {left[0]}")
        for row in sorted({one for one in self.travel.left if isinstance(one, str)}):
            rows = (row,) if row else arrival_rows(self.journey, "extra", "sent")
            yield Finding(rows, "a message came to a new client that must not arrive")

    def _settled(self, sent: Sent) -> bool:
        """Whether the journey settled a message: not where it never came, or not again after its listener had failed at it."""
        if self.journey.receipt == "receive body":
            return True
        came = [one for one in self.travel.reception.arrivals if one.sent is sent]
        failed = self.journey.delivery == "after a failed listener" and fails(sent, self.travel.number)
        return len(came) > failed

    def _order(self, came: list[Sent | None], turn: int) -> Iterator[Finding]:
        if turn > 1 or self.journey.delay != "none":
            return
        ranks: dict[int, int] = {}
        for sent in came:
            if sent is None:
                continue
            place, level = self.sent.index(sent), sent.terms.priority
            if ranks.get(level, -1) > place:
                row = "6.2.9.1-2" if self.journey.place == "queue" else "6.2.9.1-3"
                yield Finding((row,), f"the {sent.words} came after one that was sent later with the same priority")
                return
            ranks[level] = place

    # -- other looks -----------------------------------------------------------------------------------------------

    def browsed(self) -> Iterator[Finding]:
        """Judge what a browser showed."""
        if self.journey.look != "browser":
            return
        now = [one for one in self.travel.early if self._is_load(one)]
        if now:
            yield Finding(("3.4.13-7",), f"a browser showed {len(now)} messages before their delivery time")
        here: list[Arrival] = []
        for message in self.travel.browsed:
            sent = self.travel.dispatch.manifest.recognised(message, here)
            if sent is None:
                continue
            arrival = Arrival(message, sent, 0, 1)
            here.append(arrival)
            look = arrival.taken()
            where = f"of the {sent.words} in a browser"
            yield from self._headers(sent, look.headers, where, 1)
            yield from self._content(sent, look, where, 1)
        shown = [one.sent for one in here]
        missing = [one.words for one in self.sent if one not in shown]
        if missing:
            yield Finding(("4.1.6-4",), f"a browser did not show {len(missing)} messages: {missing[0]}")

    @staticmethod
    def _is_load(message: Any) -> bool:
        return tried(lambda: message.property_exists(LOAD)) is True

    def bodies(self) -> Iterator[Finding]:
        """Judge the results of receiveBody."""
        for sent, body in self.travel.bodies:
            kind = sent.load.kind if sent.load is not None else "text"
            wanted = as_returned(sent)
            if not same(comparable_body(body), wanted):
                lost = body is None and wanted is not None
                rows = arrival_rows(self.journey, "missing", "first") if lost else (BODY_BY_CALL[kind],)
                rows = ("3.9-1",) if LATE in str(body) else rows
                noise = isinstance(body, str) and body.startswith(NOISE)
                rows = (str(body).rpartition(" ")[2],) if noise else rows
                yield Finding(rows, f"receiveBody of the {sent.words} returned {short(body)}, not {short(wanted)}")
                if not noise:
                    return  # those behind it are known by their place alone

    def second_look(self) -> Iterator[Finding]:
        """Judge the sender's objects and the received ones once more, at the end."""
        last = {id(one.message): one for one in self.sent}
        for sent in last.values():
            if sent.late:
                continue
            for name, row in AT_SENDER.items():
                if name == "jms_delivery_time" and not self.delays:
                    continue
                if not same(seen := seen_header(sent.message, name), sent.after[name]):
                    yield Finding(
                        (row,),
                        f"{name} of the {sent.words} became {seen!r} after the receipt, and was {sent.after[name]!r}",
                    )
        for arrival in self.travel.received:
            before = arrival.taken().headers
            for name, row in AT_RECEIVER.items():
                if not same(seen := seen_header(arrival.message, name), before[name]):
                    yield Finding((row,), f"{name} of a received message became {seen!r}, and was {before[name]!r}")
