"""Faults in 8.6: messages whose receiveBody failed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reference_provider.broker.delivery import Delivery
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.faults import settled_by_receive_body
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import Message, MessageFormatException, Session

AUTO, LAZY = Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE


CLIENT, TRANSACTED = Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED


NEXT = "the case looks at the message that comes next"


def _after_failure(patch: Patch, mode: int, fault: Callable[[ReferenceSession, Delivery], None]) -> None:
    """Run `fault` when a receiveBody has failed in a mode, after what the mode asks for."""
    original = ReferenceConsumer.hand_out_body

    def hand_out_body(self: ReferenceConsumer, delivery: Delivery, read: Callable[[Message], Any]) -> Any:
        try:
            return original(self, delivery, read)
        except MessageFormatException:
            if self.session.ledger.mode == mode:
                fault(self.session, delivery)
            raise

    patch.replace(ReferenceConsumer, "hand_out_body", hand_out_body)


def _forget(session: ReferenceSession, delivery: Delivery) -> None:
    """Take the message out of the place it was put back to."""
    delivery.stream.remove(delivery.entry.number, delivery.entry.priority)


FAILED_AUTO = {"8.6-22": NEXT, "8.6-23": NEXT}


@saboteur("8.6-21", "with automatic acknowledgement the message of a failed call is lost", collateral=FAILED_AUTO)
def _(patch: Patch) -> None:
    _after_failure(patch, AUTO, _forget)


def _shows(patch: Patch, mode: int, name: str, value: object) -> None:
    """Have deliveries of messages whose receiveBody failed in a mode show another value."""
    failed: list[Any] = []
    _after_failure(patch, mode, lambda session, delivery: failed.append(delivery.entry))
    original = getattr(Delivery, name).fget

    def shown(self: Delivery) -> object:
        return value if any(self.entry is one for one in failed) else original(self)

    patch.replace(Delivery, name, property(shown))


def _counts(patch: Patch, mode: int, count: int) -> None:
    """Have deliveries of messages whose receiveBody failed in a mode show another JMSXDeliveryCount."""
    failed: list[Any] = []
    _after_failure(patch, mode, lambda session, delivery: failed.append(delivery.entry))
    original = Delivery.properties.fget  # type: ignore[attr-defined]

    def properties(self: Delivery) -> object:
        found = dict(original(self))
        if any(self.entry is one for one in failed):
            found["JMSXDeliveryCount"] = type(found["JMSXDeliveryCount"])(count)
        return found

    patch.replace(Delivery, "properties", property(properties))


@saboteur("8.6-22", "with automatic acknowledgement the message of a failed call comes again as redelivered")
def _(patch: Patch) -> None:
    _shows(patch, AUTO, "redelivered", True)


@saboteur("8.6-23", "with automatic acknowledgement the message of a failed call is counted again")
def _(patch: Patch) -> None:
    _counts(patch, AUTO, 2)


@saboteur("8.6-24", "with lazy acknowledgement the message of a failed call is lost")
def _(patch: Patch) -> None:
    _after_failure(patch, LAZY, _forget)


def _again_at_once(session: ReferenceSession, delivery: Delivery) -> None:
    """Put the message of a failed call back, as automatic acknowledgement would."""
    with session.broker.lock:
        session.ledger.take_back(delivery)


CLIENT_ROWS = dict.fromkeys(("8.6-26", "8.6-27", "8.6-28"), NEXT)


TRANSACTED_ROWS = dict.fromkeys(("8.6-30", "8.6-31", "8.6-32"), NEXT)


@saboteur(
    "8.6-25", "with acknowledgement by the client the message of a failed call comes again", collateral=CLIENT_ROWS
)
def _(patch: Patch) -> None:
    _after_failure(patch, CLIENT, _again_at_once)


@saboteur(
    "8.6-26",
    "with acknowledgement by the client a failed call acknowledges its message",
    collateral={"8.6-27": NEXT, "8.6-28": NEXT},
)
def _(patch: Patch) -> None:
    settled_by_receive_body(patch, CLIENT, failed=True)


@saboteur("8.6-27", "recover() brings the message of a failed call back without JMSRedelivered")
def _(patch: Patch) -> None:
    _shows(patch, CLIENT, "redelivered", False)


@saboteur("8.6-28", "recover() brings the message of a failed call back uncounted")
def _(patch: Patch) -> None:
    _counts(patch, CLIENT, 1)


@saboteur("8.6-29", "in a transaction the message of a failed call comes again", collateral=TRANSACTED_ROWS)
def _(patch: Patch) -> None:
    _after_failure(patch, TRANSACTED, _again_at_once)


@saboteur("8.6-30", "a commit does not acknowledge the message of a failed call")
def _(patch: Patch) -> None:
    failed: list[Any] = []
    _after_failure(patch, TRANSACTED, lambda session, delivery: failed.append(delivery))
    original = ReferenceSession.commit

    def commit(self: ReferenceSession) -> None:
        left = [one for one in self.work.acks if any(one is each for each in failed)]
        self.work.acks = [one for one in self.work.acks if one not in left]
        original(self)
        self.broker.give_back(left)

    patch.replace(ReferenceSession, "commit", commit)


@saboteur(
    "8.6-31",
    "a rollback brings the message of a failed call back without JMSRedelivered",
)
def _(patch: Patch) -> None:
    _shows(patch, TRANSACTED, "redelivered", False)


@saboteur("8.6-32", "a rollback brings the message of a failed call back uncounted")
def _(patch: Patch) -> None:
    _counts(patch, TRANSACTED, 1)
