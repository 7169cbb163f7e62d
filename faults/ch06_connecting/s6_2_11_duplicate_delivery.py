"""Faults in 6.2.11: what was acknowledged is redelivered."""

from collections import Counter, defaultdict

from faults.kit import *

_MANY = 7
"""Acknowledged messages of one session from which on the faults that count them show."""


def _of_queue(delivery):
    return isinstance(delivery.source.physical, PhysicalQueue)


def _of_subscription(delivery):
    return not _of_queue(delivery)


class _Removed:
    """The messages that were acknowledged, by the session of their consumers."""

    def __init__(self, patch):
        self._of = defaultdict(list)

        def remove_from_queue(original, delivery):
            original(delivery)
            self._of[getattr(delivery.consumer, "session", None)].append(delivery)

        patch.at(fault_points.REMOVED, remove_from_queue)

    def bring_back(self, session, wanted, many):
        """Put a copy of the last acknowledged message of a session back, if it has acknowledged so many."""
        removed = [one for one in self._of.pop(session, []) if wanted(one) and not one.source.gone]
        if len(removed) >= many:
            with session.broker.lock:
                put_copy(session.broker, removed[-1].source, removed[-1].entry)


def _comes_back_at_close(patch, wanted, many=1):
    """Let the close of a session bring the last message back that it has acknowledged, if there are so many."""
    removed = _Removed(patch)

    def drop_unfinished(original, session):
        original(session)
        if not session.connection.is_down() or session.connection.usable:
            removed.bring_back(session, wanted, many)

    patch.at(fault_points.SESSION_ENDED, drop_unfinished)


saboteur(
    "6.2.11-1",
    "the close of a session brings back the last message of a queue that it has acknowledged",
    lambda patch: _comes_back_at_close(patch, _of_queue),
)
nearly_right(
    "close-brings-back-the-last-of-many-queue-messages",
    "the close of a session that acknowledged many queue messages brings the last one back",
    "6.2.11-1",
    install=lambda patch: _comes_back_at_close(patch, _of_queue, _MANY),
)
saboteur(
    "6.2.11-2",
    "the close of a session brings back the last message of a subscription that it has acknowledged",
    lambda patch: _comes_back_at_close(patch, _of_subscription),
)


def _comes_back_at_loss(patch, wanted, many=1):
    """Let the loss of a link bring the last message back that each session's client has acknowledged, if there are so many."""
    removed = _Removed(patch)

    def sever(original, connection, why):
        sessions = list(connection.sessions)
        original(connection, why)
        for session in sessions:
            if session.mode in {Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED}:
                removed.bring_back(session, wanted, many)

    patch.at(fault_points.LINK_LOST, sever)


saboteur(
    "6.2.11-3",
    "the loss of a link brings back the last message that the client acknowledged or committed",
    lambda patch: _comes_back_at_loss(patch, lambda _: True),
)


nearly_right(
    "lost-link-brings-back-the-last-of-many-queue-messages",
    "the loss of a link brings back the last of many messages of a queue that the client had acknowledged",
    "6.2.11-3",
    install=lambda patch: _comes_back_at_loss(patch, _of_queue, _MANY),
)


def _not_written(patch, applies):
    """Do not write some acknowledgements to the disk."""

    def commit(original, broker, unit):
        if isinstance(unit, Work) and applies(unit) and not unit.sends:
            with broker.lock:
                unit.after()
        else:
            original(broker, unit)

    patch.at(fault_points.FILE_WRITTEN, commit)


saboteur(
    "6.2.11-4",
    "acknowledgements are not written to the disk, but for those of a transaction that sends",
    lambda patch: _not_written(patch, lambda work: bool(work.acks)),
)
nearly_right(
    "four-acknowledgements-are-not-written",
    "an acknowledgement of four messages together is not written to the disk",
    "6.2.11-4",
    install=lambda patch: _not_written(patch, lambda work: len(work.acks) == 4),
)


saboteur(
    "6.2.11-5",
    "a session in AUTO_ACKNOWLEDGE acknowledges only when it is closed",
    lambda patch: _acknowledges_late(patch, 1),
)
nearly_right(
    "auto-acknowledges-late-from-the-fourth-message-on",
    "a session in AUTO_ACKNOWLEDGE acknowledges from its fourth message on only when it is closed",
    "6.2.11-5",
    install=lambda patch: _acknowledges_late(patch, 4),
)


def _acknowledges_late(patch, from_):
    """Let sessions in AUTO_ACKNOWLEDGE acknowledge their messages from this one on when they are closed."""
    settled = Counter()

    def settle(original, state, delivery):
        settled[state] += 1
        if state.mode == Session.AUTO_ACKNOWLEDGE and settled[state] >= from_:
            state.work.acks.append(delivery)
        else:
            original(state, delivery)

    def drop_unfinished(original, session):
        if session.mode == Session.AUTO_ACKNOWLEDGE and session.connection.usable:
            session.state.next_transaction().perform()
        original(session)

    patch.at(fault_points.SETTLED, settle)
    patch.at(fault_points.SESSION_ENDED, drop_unfinished)


def _in_hand_at_loss(patch):
    """Remember the messages that listeners had when the link of their session broke."""
    marked = Marked()

    def abandon(original, dispatcher):
        running = original(dispatcher)
        for delivery in running:
            marked.add(delivery.entry)
        return running

    patch.at(fault_points.LISTENER_ABANDONED, abandon)
    return marked


@saboteur("6.2.11-6", "what a listener had when the link broke comes again without JMSRedelivered")
def _(patch):
    marked = _in_hand_at_loss(patch)

    def unset(message, delivery):
        if delivery.entry in marked:
            message.jms_redelivered = False

    as_received(patch, unset)


@saboteur("6.2.11-7", "what a listener had when the link broke comes again with a JMSXDeliveryCount of 1")
def _(patch):
    marked = _in_hand_at_loss(patch)

    def counted(delivery):
        return Int(1 if delivery.entry in marked else delivery.count)

    provider_property(patch, "JMSXDeliveryCount", counted)
