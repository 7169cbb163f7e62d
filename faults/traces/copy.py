"""Faults of copies: losses, and identifiers that are not unique; see `tck.check.properties.copy`."""

from faults.kit import *


@breaks("message-id-unique")
def _same_id(patch):
    strikes, last = now_and_then(), list[str | None]()

    def fault(sender, message, entry, options):
        if last and strikes():
            entry.message_id = message.jms_message_id = last[-1]
        last.append(entry.message_id)

    after_send(patch, fault)


@breaks("acknowledge-leaves-others")
def _acknowledges_for_all(patch):
    states = {}

    def open_delivery(original, state, *arguments):
        states[id(state)] = state
        return original(state, *arguments)

    def acknowledge_all(original, session):
        for other in list(states.values()):
            if other is not session.state:
                other.acknowledge_all(session.check_open)
        original(session)

    patch.at(fault_points.HANDED_OVER, open_delivery)
    patch.at(fault_points.ACKNOWLEDGED, acknowledge_all)


def _lose(name, wanted):
    """Lose some of the messages that arrive in certain streams."""

    def fault(patch):
        strikes = now_and_then()

        def admit(original, broker, delivery_queue, entry):
            if not (wanted(delivery_queue, entry) and strikes()):
                original(broker, delivery_queue, entry)

        patch.at(fault_points.ARRIVED, admit)

    breaks(name)(fault)


def _persistent(entry):
    return entry.delivery_mode == DeliveryMode.PERSISTENT


_lose(
    "no-loss-persistent",
    lambda delivery_queue, entry: isinstance(delivery_queue.physical, PhysicalQueue) and _persistent(entry),
)


_lose("durable-complete", lambda delivery_queue, entry: delivery_queue.subscription is not None and _persistent(entry))


_lose(
    "nondurable-complete-while-open",
    lambda delivery_queue, entry: (
        isinstance(delivery_queue.physical, PhysicalTopic)
        and delivery_queue.subscription is None
        and _persistent(entry)
    ),
)


_lose("nonpersistent-kept-without-failure", lambda _, entry: not _persistent(entry))
