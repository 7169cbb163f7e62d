"""Bridges whose channel acknowledges for a JMS consumer: what they pull, and an application at the destination that acknowledges.

No JMS call tells a bridge what an application acknowledges. The case plays the provider that does, by the hook `HearsApplications` of the factory of bridges.
"""

from __future__ import annotations

from typing import Final

from tck import api
from tck.interworking import BridgeError
from tck.interworking.acknowledgment import DELIVERY_RELIABILITY, NONE, RETRY_INTERVAL, HearsApplications
from tck.interworking.bridge import Bridge, FlowStyle, MessageType
from tck.suite.support.case import Case
from tck.suite.support.clients.link import Link
from tck.suite.support.harness.outcome import Broken
from tck.suite.support.interworking.acknowledging import INTERVAL, TICKS, Reliable, number_in, terms
from tck.suite.support.interworking.crossing import PULL, SINK, SOURCE, WAY
from tck.suite.support.interworking.recorded import Call

AUTO, CLIENT, DUPS_OK = (
    api.Session.AUTO_ACKNOWLEDGE,
    api.Session.CLIENT_ACKNOWLEDGE,
    api.Session.DUPS_OK_ACKNOWLEDGE,
)
"""Modes of the sessions at a destination."""
TRIES: Final = ("try_pull_structured_event", "try_pull_structured_events")
"""The calls that pull what is there."""
PULLS: Final = ("pull_structured_event", "pull_structured_events", *TRIES)
"""The calls that pull."""
PUSHES: Final = ("push_structured_event", "push_structured_events")
"""The calls that push."""
_ENOUGH: Final = 1_000
"""Retries of a channel that does not give up while a case runs."""


class Moded(Reliable):
    """Bridges from a channel to the destination, and what crossed the border of the channel. Its probes pull nothing there."""

    def __init__(self, case: Case, *, on: bool = True, repeats: bool = False) -> None:
        """Open both sides.

        Args:
            case: The case.
            on: Whether connections have acknowledgment.
            repeats: Whether the channel repeats within the case what is not acknowledged.
        """
        super().__init__(case)
        late = {} if repeats else {RETRY_INTERVAL: WAY * TICKS}
        self.channel.set_qos(terms(_ENOUGH, **late) if on else terms(**{DELIVERY_RELIABILITY: NONE}))

    def receives_in(self, mode: int) -> None:
        """Tell the factory the mode of the sessions at the destination, if it wants to know."""
        factory: object = self.factory
        if isinstance(factory, HearsApplications):
            self.calls("use_session_mode", lambda: factory.use_session_mode(mode))

    def _hook(self) -> HearsApplications:
        """Return the hook of the factory of bridges."""
        self.claimed("application-acknowledgment")
        if not isinstance(self.factory, HearsApplications):
            raise Broken(
                "the factory of bridges, whose profile claims application-acknowledgment, lacks use_session_mode or messages_acknowledged",
                expected="the hook HearsApplications",
            )
        return self.factory

    def between(self, style: FlowStyle, type_: MessageType) -> Bridge:
        """Make and start a bridge from the channel; unsupported where the bridge leaves out pulling."""
        points = self.channel_end(SOURCE, style, type_), self.destination(SINK)
        return self.offered(points) if style is PULL else self.bridge(points)

    def refuses(self, style: FlowStyle, type_: MessageType) -> bool:
        """Make and start a bridge from the channel; return whether that is refused."""
        try:
            self.factory.create_bridge(self.channel_end(SOURCE, style, type_), self.destination(SINK))[0].start_bridge()
        except BridgeError as error:
            self.case.witness(f"the bridge refused: {error}")
            return True
        except Exception as error:
            raise Broken(
                f"the bridge raised {type(error).__name__}: {error}", expected="a bridge, or a BridgeError"
            ) from error
        return False

    # -- the application -------------------------------------------------------------------------------------------

    def application(self) -> Link:
        """Open a consumer at the destination whose session has CLIENT_ACKNOWLEDGE, and tell the factory."""
        self.calls("use_session_mode", lambda: self._hook().use_session_mode(CLIENT))
        return self.case.link("client", destination=self.place)

    def acknowledges(self, application: Link, *messages: api.Message) -> None:
        """Let the application acknowledge all it has received since the last time, these messages, and the bridge hear of it."""
        application.client.settle(messages[-1])
        found = tuple(each.jms_message_id or "" for each in messages)
        self.calls("messages_acknowledged", lambda: self._hook().messages_acknowledged(found))

    def taken(self, application: Link, most: int) -> list[api.Message]:
        """Receive without acknowledgment: one message at least, whose absence breaks the row, and those that follow it.

        Channel and bridge may keep the next event back until the one before is acknowledged.
        """
        found = [application.poll(WAY)]
        while found[-1] is not None and len(found) < most:
            found.append(application.poll(2 * INTERVAL))
        messages = [each for each in found if each is not None]
        if not messages:
            raise Broken("no message came to the application", expected="the message of an event")
        self.case.witness(f"{len(messages)} messages came to the application")
        return messages

    # -- what was recorded -----------------------------------------------------------------------------------------

    def acknowledgments(self) -> list[Call]:
        """Return the acknowledgments of the bridge."""
        return self.recorded("acknowledge", by_channel=False)

    def given(self) -> list[tuple[int, ...]]:
        """Return the numbers of each acknowledgment of the bridge."""
        return [tuple(each.arguments[0]) for each in self.acknowledgments()]  # type: ignore[arg-type]

    def numbers(self) -> list[int]:
        """Return the numbers that the bridge has acknowledged, in order."""
        return [number for each in self.given() for number in each]

    def carried(self, style: FlowStyle = PULL) -> list[Call]:
        """Return the calls that have brought events to bridges, in order."""
        found = self.recorded(*PULLS, by_channel=False) if style is PULL else self.recorded(*PUSHES, by_channel=True)
        return [each for each in found if each.events]

    def number(self, call: Call) -> int:
        """Return the number of what a call brought; none breaks the row."""
        found = number_in(call.events[0])
        if not isinstance(found, int):
            raise Broken("what the bridge got has no number", expected="a number on each event or batch")
        return found

    def idle(self) -> None:
        """Wait until the bridge pulls and nothing comes: it tried twice in vain one after the other, or waits in a pull."""
        self.until("the bridge pulls and nothing comes", lambda: self._waits() or self._in_vain())

    def _waits(self) -> bool:
        last = self.recorded(*PULLS)[-1:]
        return any(each.operation not in TRIES and each.ended_ns is None for each in last)

    def _in_vain(self) -> bool:
        last = self.recorded(*PULLS)[-2:]
        ended = [each for each in last if each.ended_ns is not None and each.error is None and not each.events]
        return len(ended) == 2


__all__ = ["AUTO", "CLIENT", "DUPS_OK", "PULLS", "PUSHES", "TRIES", "Moded"]
