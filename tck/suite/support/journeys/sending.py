"""The first half of a journey: the sender, its settings, and the messages as they were on its side when they left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from tck import api
from tck.programs.observing.naming import as_seen_by
from tck.suite.support.case import Case
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.completion import Completion
from tck.suite.support.clients.interfaces import connect
from tck.suite.support.clients.messages import write
from tck.suite.support.clients.sender import Sender
from tck.suite.support.clients.timed_send import Sending
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.journeys.cargo import (
    LANE,
    LOAD,
    MARKER,
    WANTED,
    Load,
    loads,
    new_message,
    nulls_taken,
    seen_header,
    seen_properties,
    spared,
)
from tck.suite.support.journeys.manifest import END, LATE, NOISE, Manifest, Sent, Terms, writes
from tck.suite.support.journeys.model import Journey
from tck.suite.support.values.kinds import kind_of
from tck.suite.support.values.properties import comparable
from tck.suite.support.values.seen import HEADERS, shown, tried

_HOUR: Final = 3_600_000
_MODES: Final = {"persistent": api.DeliveryMode.PERSISTENT, "non-persistent": api.DeliveryMode.NON_PERSISTENT}
_PRIORITIES: Final = {"default": (4,), "lowest": (0,), "highest": (9,), "mixed": (4, 0, 9, 5)}
NOISE_PRIORITY: Final = 2
"""The priority of messages that a selector on JMSPriority is to leave out; no load has it."""
FIRST_PRIORITY: Final = 6
"""The priority with which messages that are sent on were sent before; no load has it."""


DELAYS: Final = (1, 2, 0)
"""Delivery delays of messages in turn, in units of the profile's delay."""
_LATE: Final = frozenset({1, 4, 6})
_LATE_ROUND: Final = 7
"""Places, of so many, whose messages are written into after the send. The number has no factor in common with that of the
delays, priorities, kinds and sets of properties: so each of those meets both."""


class Dispatch:
    """The sender of a journey."""

    def __init__(self, case: Case, journey: Journey, number: int, client: Client, place: api.Destination) -> None:
        self.case, self.journey, self.number = case, journey, number
        self.client, self.place = client, self._own(place)
        self.manifest = Manifest()
        self.sender = self._sender()
        self._waiting: list[tuple[Sent, Completion]] = []

    def _own(self, destination: api.Destination) -> api.Destination:
        """Return a destination as the library of the sender has it."""
        second = self.case.second
        return destination if second is None else as_seen_by(second, destination)

    # -- the producer --------------------------------------------------------------------------------------------

    def _sender(self) -> Sender:
        unidentified = self.journey.producer == "unidentified" and self.journey.interface != "simplified"
        return self.client.sender(None if unidentified else self.place)

    def moved(self, client: Client) -> None:
        """Send from another client from now on."""
        self.client = client
        self.sender = self._sender()

    def terms(self, load: Load | None) -> Terms:
        """Return the delivery options of a load; a marker comes last, so it has the lowest priority of the journey."""
        levels = _PRIORITIES[self.journey.priority]
        return Terms(
            _MODES[self.journey.mode],
            min(levels) if load is None else levels[(load.number + self.number) % len(levels)],
            0 if self.journey.ttl != "long" else _HOUR,
            self._delay(load) if self.journey.delay == "short" else 0,
        )

    def _delay(self, load: Load | None) -> int:
        """Return the delay of a load, ms: some are due later than others, some at once; the marker with the last."""
        times = DELAYS[(load.number + self.number) % len(DELAYS)] if load is not None else max(DELAYS)
        return times * self.case.timing.delay

    def put(self, message: api.Message, terms: Terms, listener: api.CompletionListener | None = None) -> None:
        """Send with these options, set where and how the journey says."""
        journey, sender = self.journey, self.sender
        by_arguments = journey.setting == "arguments"
        set_there = Terms(3 - terms.mode, 7, 90 * _HOUR, terms.delay) if by_arguments else terms
        sender.set(mode=set_there.mode, priority=set_there.priority, ttl=set_there.ttl)
        if self.case.offers("delivery delays") and self.journey.delay != "none":
            sender.set(delay=terms.delay)
        sender.set(disable_id=journey.ids == "disabled", disable_timestamp=journey.timestamps == "disabled")
        to = self.place if journey.producer == "unidentified" and journey.interface != "simplified" else None
        if listener is None:
            options = {"mode": terms.mode, "priority": terms.priority, "ttl": terms.ttl} if by_arguments else {}
            sender.send(message, to=to, **options)
        elif journey.interface == "simplified":
            sender.producer.set_async(listener).send(self.place, message)
            sender.producer.set_async(None)
        else:
            self._asynchronously(message, terms if by_arguments else None, to, listener)

    def _asynchronously(
        self, message: api.Message, terms: Terms | None, to: api.Destination | None, listener: api.CompletionListener
    ) -> None:
        options: dict[str, Any] = {"completion_listener": listener}
        if to is not None:
            options["destination"] = to
        if terms is not None:
            options |= {"delivery_mode": terms.mode, "priority": terms.priority, "time_to_live": terms.ttl}
        self.sender.producer.send(message, **options)

    # -- what is sent --------------------------------------------------------------------------------------------

    def send_all(self) -> None:
        """Send the loads among noise, then the marker; write into some of the messages; commit if transacted."""
        for load, message in self._made():
            times = 2 if self.journey.provenance == "sent twice" else 1
            for turn in range(times):
                self._send(load, message, again=turn > 0)
            if load.number % 4 == 1:
                self._send_noise()
        self._send_marker()
        self._complete()
        self.manifest.awaited = list(self.manifest.sent)
        self._write_late()
        if self.client.transacted:
            self.case.pass_time(5 + self.case.timing.tolerance, "the commit must come later than the sends")
            self.client.commit()

    def _send_marker(self) -> None:
        marker = self.client.text("marker")
        marker.set_int_property(LOAD, MARKER)
        if self.journey.selector == "property":
            marker.set_string_property(LANE, WANTED)
        self._send(None, marker)

    def _send(self, load: Load | None, message: Any, *, again: bool = False) -> None:
        terms = self.terms(load)
        reply_to = seen_header(message, "jms_reply_to")
        flag = seen_header(message, "jms_redelivered")
        listener = None
        if self.journey.asynchronous:
            listener = Completion(self.case.provider.clock.event(), facts)
        before = {name: seen_header(message, name) for name in HEADERS} if self.journey.sent_on else {}
        called = self.case.now()
        self.put(message, terms, listener)
        sending = Sending(called, self.case.now())
        sent = Sent(load, message, terms, sending, shown(self.place), reply_to, again, flag, before)
        if listener is None:
            sent.after = facts(message)
        else:
            self._waiting.append((sent, listener))
        self.manifest.sent.append(sent)

    def _complete(self) -> None:
        """Wait until all asynchronous sends have completed.

        Raises:
            Undecided: one did not, within the profile's deadline.
        """
        for sent, listener in self._waiting:
            if not listener.done.wait(self.case.timing.deadline) or listener.seen is None:
                raise Undecided(
                    f"the asynchronous send of {sent.words} did not complete: {listener.error or 'no callback'}"
                )
            sent.after = listener.seen
        self._waiting.clear()

    def end(self) -> None:
        """Send the marker behind everything, with plain options, and commit it."""
        terms = Terms(self.terms(None).mode, self.terms(None).priority, 0, 0)
        marker = self.client.text(END)
        marker.set_string_property(END, END)
        if self.journey.selector == "property":
            marker.set_string_property(LANE, WANTED)
        nowhere = Sending(0, 0)
        self.manifest.end = Sent(None, marker, terms, nowhere, shown(self.place), None)
        self.manifest.awaited = [self.manifest.end]
        self._put_plainly(marker, terms)
        if self.client.transacted:
            self.client.commit()

    def _send_noise(self) -> None:
        """Send messages that must not arrive: some that the selector leaves out, some that expire at once."""
        terms = self.terms(None)
        if self.journey.selector != "none":
            noise = self.noise("3.8.1-1")
            if self.journey.selector == "property":
                noise.set_string_property(LANE, NOISE)
            else:
                noise.jms_type = noise.jms_correlation_id = NOISE
                terms = Terms(terms.mode, NOISE_PRIORITY, terms.ttl, terms.delay)
            self._put_plainly(noise, terms)
        if self.journey.ttl == "some expire":
            brief = self.noise("3.4.9-7")
            if self.journey.selector == "property":
                brief.set_string_property(LANE, WANTED)
            self._put_plainly(brief, Terms(terms.mode, self.terms(None).priority, self.case.timing.delay, 0))

    def _put_plainly(self, message: api.Message, terms: Terms) -> None:
        """Send in the journey's way, a listener included, without a place in the manifest."""
        if not self.journey.asynchronous:
            self.put(message, terms)
            return
        listener = Completion(self.case.provider.clock.event(), facts)
        self.put(message, terms, listener)
        if not listener.done.wait(self.case.timing.deadline):
            raise Undecided("an asynchronous send did not complete")

    def noise(self, row: str) -> Any:
        """Make a message that must not arrive, with the row that says so."""
        message = self.client.text(f"{NOISE} of {row}")
        message.set_string_property(NOISE, row)
        return message

    # -- the messages before they are sent -----------------------------------------------------------------------

    def _made(self) -> Iterable[tuple[Load, Any]]:
        numbered = self.case.second is not None  # the identifier may not survive the way to another library
        made = loads(self.journey, self.number, nulls_taken(self.client), numbered=numbered)
        carried = [spared(each, self.case.profile.vary.spare) for each in made]
        if self.journey.sent_on:
            return self._sent_on(carried)
        if self.journey.provenance == "filled again":
            return self._filled_again(carried)
        return [(load, self._filled(self.client, load)) for load in carried]

    def _filled_again(self, carried: list[Load]) -> Iterator[tuple[Load, Any]]:
        """Yield the loads in one object of each kind, which is emptied and filled again after each send.

        All headers have values, and no property is one of a group: whether null takes the place of a header, and
        clearProperties the place of a group, is a matter of other cases.
        """
        objects: dict[str, Any] = {}
        for each in carried:
            headers = {
                name: text if text is not None else f"again {each.number}" for name, text in each.headers.items()
            }
            load = replace(
                each,
                headers=headers,
                reply="queue" if each.reply == "none" else each.reply,
                properties=[one for one in each.properties if not one[1].startswith("JMSX")],
            )
            if (message := objects.get(load.kind)) is None:
                message = objects[load.kind] = self._filled(self.client, load)
            else:
                message.clear_properties()
                message.clear_body()
                load.fill(message, self._reply_to(self.client, load))
            yield load, message

    def _filled(self, client: Client, load: Load) -> Any:
        message = new_message(client, load, of_foreign_make=self.journey.provenance == "foreign")
        load.fill(message, self._reply_to(client, load))
        return message

    def _reply_to(self, client: Client, load: Load) -> api.Destination | None:
        foreign = self.journey.provenance == "foreign"
        if load.reply == "none" or (
            foreign and self.case.provider.info().language == "java"
        ):  # Java would get Python's object
            return None
        destination = client.temporary() if load.reply == "temporary" else self._own(self.case.destination(load.reply))
        if foreign:  # the recorder sees no field of the suite's messages, and its object would be foreign to the provider (3.12-4)
            return cast("api.Destination", self.case.evidence.behind(destination))
        return destination

    def _sent_on(self, carried: list[Load]) -> list[tuple[Load, Any]]:
        """Send and receive the messages elsewhere first, with other options; those received are what the journey sends."""
        client = connect(self.case, "client", through=self.case.second)
        elsewhere = self._own(self.case.destination())
        consumer = client.consumer(elsewhere)
        sender = client.sender(elsewhere)
        sender.set(mode=3 - _MODES[self.journey.mode], priority=FIRST_PRIORITY, ttl=90 * _HOUR)
        sender.set(disable_id=self.number % 2 > 0, disable_timestamp=self.number % 3 > 0)
        for load in carried:
            sender.send(self._filled(client, load))
        received = self._received(consumer, len(carried))
        if self.journey.provenance == "sent on after redelivery":
            client.recover()
            received = self._received(consumer, len(carried))
        client.settle(received[-1])
        self.case.pass_time(5 + self.case.timing.tolerance, "the times of the first send must be others")
        return sorted(_paired(carried, received), key=lambda pair: pair[0].number)

    def _received(self, consumer: Any, count: int) -> list[Any]:
        received = [consumer.receive(self.case.timing.deadline) for _ in range(count)]
        if None in received:
            raise Undecided("the messages to send on did not arrive at their first destination")
        return received

    # -- after the send ------------------------------------------------------------------------------------------

    def _write_late(self) -> None:
        """Write into some of the messages that are on their way."""
        last = {id(sent.message): sent for sent in self.manifest.sent if sent.load is not None}
        for sent in last.values():
            if sent.load is None:
                continue
            if self.journey.sent_on:
                sent.writes = writes(sent.message, sent.load)
            if (sent.load.number + self.number) % _LATE_ROUND in _LATE:
                overwrite(sent.message, LATE, cleared=self.journey.sent_on or sent.load.number % 2 == 0)
                for one in self.manifest.sent:
                    one.late = one.late or one.message is sent.message


def _paired(carried: Sequence[Load], received: Sequence[Any]) -> Iterator[tuple[Load, Any]]:
    """Yield each load with what was received of it, known by its number, else by its kind: recover() leaves the order open."""
    rest = list(carried)
    for message in received:
        seen = comparable(tried(lambda: message.get_object_property(LOAD)))  # noqa: B023 - called at once
        number = seen.value if isinstance(seen, api.Int | api.Long) else None
        same = [one for one in rest if one.number == number and number is not None]
        alike = [
            one for one in rest if one.kind == kind_of(message) and all(name != LOAD for _, name, _ in one.properties)
        ]
        found = (same or alike or rest)[0]
        rest.remove(found)
        yield found, message


def overwrite(message: Any, text: str, *, cleared: bool = True) -> None:
    """Write a text into everything of a message that a client may write, whoever has it.

    `cleared`: whether properties and body are cleared before; one that was received can be written in no other way.
    """
    message.jms_type = message.jms_correlation_id = text
    if cleared:
        message.clear_properties()
        message.clear_body()
    message.set_string_property("added", text)
    write(message, text)


def facts(message: api.Message) -> Mapping[str, object]:
    """Show the headers of a message, and its properties under `properties`."""
    seen: dict[str, object] = {name: seen_header(message, name) for name in HEADERS}
    return {**seen, "properties": seen_properties(message)}
