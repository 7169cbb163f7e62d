"""Listeners that a test hands to a provider, and what they saw."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tck import api
from tck.suite.support.outcome import Undecided
from tck.suite.support.seen import tried

if TYPE_CHECKING:
    from tck.suite.support.case import Case
    from tck.suite.support.link import Link


class ListenerFailureError(RuntimeError):
    """What a failing listener throws: a plain runtime exception, as Java code would."""


class Listener(api.MessageListener):
    """Call a function with each message and its ordinal (from 1)."""

    def __init__(self, receive: Callable[[api.Message, int], None]) -> None:
        self._receive = receive
        self.calls = 0

    def on_message(self, message: api.Message) -> None:
        """Count the call and pass the message on."""
        self.calls += 1
        self._receive(message, self.calls)


def failing_listener(case: Case, link: Link) -> tuple[object, object]:
    """Have a listener throw at its first call; returns JMSRedelivered of the first two deliveries.

    Raises:
        Undecided: there was no second delivery within the profile's deadline.
    """
    done = case.provider.clock.event()
    flags: list[object] = []

    def fail_once(message: api.Message, ordinal: int) -> None:
        flags.append(tried(lambda: message.jms_redelivered))
        if ordinal == 1:
            raise ListenerFailureError("the listener fails at its first message")
        done.set()

    link.consumer.message_listener = Listener(fail_once)
    if not done.wait(case.timing.deadline):
        raise Undecided(f"after {len(flags)} deliveries to a failing listener no further one came")
    case.witness(f"two deliveries to a listener, flags {flags}")
    return flags[0], flags[1]
