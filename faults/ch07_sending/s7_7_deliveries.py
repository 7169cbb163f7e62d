"""Faults in 7.7: acknowledged messages that are redelivered, and commits that do not outlive the provider."""

from faults.kit import *


@saboteur("7.7-1", "the loss of a link delivers the last acknowledged message again that is not persistent")
def _(patch):
    done = []

    def remove(original, delivery):
        if delivery.entry.delivery_mode == DeliveryMode.NON_PERSISTENT:
            done.append(delivery)
        original(delivery)

    def sever(original, connection, why):
        original(connection, why)
        if done:
            delivery = done.pop()
            with connection.broker.lock:
                connection.broker.offer(delivery.source, delivery.entry)

    patch.at(fault_points.REMOVED, remove)
    patch.at(fault_points.LINK_LOST, sever)


def _unwritten(patch, applies):
    """Make some transactions effective in memory only."""

    def commit(original, broker, unit):
        if isinstance(unit, Work) and applies(unit):
            with broker.lock:
                unit.after()
        else:
            original(broker, unit)

    patch.at(fault_points.FILE_WRITTEN, commit)


saboteur(
    "7.7-5",
    "a commit of more than 64 sent messages returns before they are written to the disk",
    lambda patch: _unwritten(patch, lambda work: len(work.sends) > 64),
)
saboteur(
    "7.7-6",
    "an acknowledgement of two messages together is not written to the disk",
    lambda patch: _unwritten(patch, lambda work: len(work.acks) == 2 and not work.sends),
)
