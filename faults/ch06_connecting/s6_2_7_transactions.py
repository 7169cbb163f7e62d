"""Faults in 6.2.7: commit and rollback."""

from collections import Counter

from faults.kit import *


def _replace_roll_back(patch, fault):
    def roll_back(original, session, work):
        fault(session, work, lambda: original(session, work))

    patch.at(fault_points.ROLLBACK, roll_back)


def _is_queue(delivery):
    return isinstance(delivery.source.physical, PhysicalQueue)


@saboteur("6.2.7-1", "a commit without sends acknowledges only the last queue message", by=before_commit)
def _(session):
    if session.state.work.sends:
        return
    queued = [delivery for delivery in session.state.work.acks if _is_queue(delivery)]
    session.state.unacknowledged.extend(queued[:-1])
    session.state.work.acks = [delivery for delivery in session.state.work.acks if delivery not in queued[:-1]]


@saboteur("6.2.7-2", "commit does not acknowledge messages of durable subscriptions", by=before_commit)
def _(session):
    durable = [
        ack for ack in session.state.work.acks if isinstance(ack.source.physical, PhysicalTopic) and ack.source.in_file
    ]
    session.state.unacknowledged.extend(durable)
    session.state.work.acks = [delivery for delivery in session.state.work.acks if delivery not in durable]


@saboteur(
    "6.2.7-3",
    "commit forgets the last of several messages",
    collateral={
        **dict.fromkeys(("6.2.7-5", "6.2.7-11", "6.2.7-12"), "it sends to several destinations"),
        "6.2.7-14": "its transaction sends several messages",
    },
    by=before_commit,
)
def _(session):
    sends = session.state.work.sends
    session.state.work.sends = sends[:-1] if len(sends) > 1 else sends


@nearly_right(
    "commit-sends-to-the-first-destination",
    "commit sends only the messages to the first destination",
    "6.2.7-3",
    by=before_commit,
)
def _(session):
    sends = session.state.work.sends
    session.state.work.sends = [(physical, entry) for physical, entry in sends if physical is sends[0][0]]


@saboteur(
    "6.2.7-4",
    "a transacted session that consumes its own messages gets them before the commit",
    at=fault_points.SEND_SUBMITTED,
)
def _(original, session, physical, entry):
    own = any(consumer.receiver.physical is physical for consumer in session.consumers)
    if session.mode == Session.SESSION_TRANSACTED and own:
        work = Work(session.broker)
        work.sends.append((physical, entry))
        work.perform()
    else:
        original(session, physical, entry)


@saboteur(
    "6.2.7-5",
    "the next commit sends the messages of a rolled back transaction",
    collateral={
        **dict.fromkeys(
            ("6.2.7-3", "6.2.7-11", "6.2.7-12", "6.2.7-13", "6.2.7-20"), "it rolls sends back and commits later"
        ),
        "6.2.7-18": "it too rolls a send back and commits the next",
    },
    by=_replace_roll_back,
)
def _(session, work, honest):
    honest()
    session.state.work.sends.extend(work.sends)


@nearly_right(
    "single-rolled-back-send-is-committed",
    "the next commit sends the single message of a rolled back transaction",
    "6.2.7-5",
    by=_replace_roll_back,
)
def _(session, work, honest):
    honest()
    if len(work.sends) == 1 and not work.acks:
        session.state.work.sends.extend(work.sends)


@saboteur(
    "6.2.7-6",
    "rollback drops queue messages",
    collateral={
        **dict.fromkeys(("6.2.7-9", "6.2.7-17", "6.2.7-20"), "it rolls several queue messages back"),
        **dict.fromkeys(("6.2.7-10", "6.2.7-12", "6.2.7-13"), "it rolls queue messages back"),
    },
    by=_replace_roll_back,
)
def _(session, work, honest):
    work.acks = [delivery for delivery in work.acks if not _is_queue(delivery)]
    honest()


@nearly_right(
    "rollback-drops-what-one-consumer-received",
    "rollback drops queue messages if one consumer received several",
    "6.2.7-6",
    by=_replace_roll_back,
)
def _(session, work, honest):
    queued = [delivery for delivery in work.acks if _is_queue(delivery)]
    if len({id(delivery.consumer) for delivery in queued}) == 1 < len(queued):
        work.acks = [delivery for delivery in work.acks if delivery not in queued]
    honest()


@saboteur("6.2.7-7", "rollback drops messages of durable subscriptions", by=_replace_roll_back)
def _(session, work, honest):
    work.acks = [
        ack for ack in work.acks if not (isinstance(ack.source.physical, PhysicalTopic) and ack.source.in_file)
    ]
    honest()


@saboteur(
    "6.2.7-8",
    "rollback drops messages of non-durable subscriptions",
    collateral=dict.fromkeys(
        ("6.2.7-10", "6.2.7-12", "6.2.7-13", "8.5-8"), "on topics it receives from a non-durable subscription"
    ),
    by=_replace_roll_back,
)
def _(session, work, honest):
    work.acks = [ack for ack in work.acks if _is_queue(ack) or ack.source.in_file]
    honest()


@saboteur("6.2.7-9", "rolled back queue messages stay locked to their session")
def _(patch):
    held = {}

    def fault(session, work, honest):
        if not session.closed:
            _, locked = held.setdefault(id(session), (session, []))
            locked.extend(delivery for delivery in work.acks if _is_queue(delivery))
            work.acks = [delivery for delivery in work.acks if not _is_queue(delivery)]
        honest()

    _replace_roll_back(patch, fault)

    def next_delivery(original, consumer, timeout):
        _, locked = held.pop(id(consumer.session), (None, []))
        with consumer.session.broker.lock:
            for delivery in locked:
                delivery.redeliver()
        return original(consumer, timeout)

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur(
    "6.2.7-10",
    "rollback returns only the messages of the consumer that received last",
    collateral=dict.fromkeys(("6.2.7-6", "6.2.7-7", "6.2.7-12"), "it rolls back what two consumers received"),
    by=_replace_roll_back,
)
def _(session, work, honest):
    work.acks = [delivery for delivery in work.acks if delivery.consumer is work.acks[-1].consumer]
    honest()


@saboteur(
    "6.2.7-11",
    "rollback drops only the messages of the producer that sent last",
    collateral=dict.fromkeys(("6.2.7-5", "6.2.7-12"), "it rolls back what several producers sent"),
)
def _(patch):
    makers = {}

    def prepare(original, producer, message, destination, options):
        physical, entry = original(producer, message, destination, options)
        makers[id(entry)] = (entry, producer)
        return physical, entry

    def fault(session, work, honest):
        honest()
        if work.sends and not session.closed:
            last = makers[id(work.sends[-1][1])][1]
            session.state.work.sends.extend(send for send in work.sends if makers[id(send[1])][1] is not last)

    patch.at(fault_points.SEND_PREPARED, prepare)
    _replace_roll_back(patch, fault)


@saboteur(
    "6.2.7-12",
    "rollback sends the messages of a transaction within one domain",
    collateral=dict.fromkeys(("6.2.7-17", "6.2.7-20"), "it too undoes receives and sends together"),
    by=_replace_roll_back,
)
def _(session, work, honest):
    honest()
    kinds = {type(ack.source.physical) for ack in work.acks} | {type(physical) for physical, _ in work.sends}
    if work.acks and work.sends and len(kinds) == 1 and not session.closed:
        sent = Work(session.broker)
        sent.sends = list(work.sends)
        sent.perform()


@saboteur(
    "6.2.7-13",
    "messages to a topic leave before the commit if the transaction has queue messages",
    at=fault_points.SEND_SUBMITTED,
)
def _(original, session, physical, entry):
    if isinstance(physical, PhysicalTopic) and any(_is_queue(delivery) for delivery in session.state.work.acks):
        work = Work(session.broker)
        work.sends.append((physical, entry))
        work.perform()
    else:
        original(session, physical, entry)


@saboteur("6.2.7-16", "commit sends the messages of all sessions of the connection", by=before_commit)
def _(session):
    for other in session.connection.sessions:
        if other is not session and other.mode == Session.SESSION_TRANSACTED:
            session.state.work.sends.extend(other.state.work.sends)
            other.state.work.sends = []


@saboteur("6.2.7-17", "Message.acknowledge commits a transacted session", at=fault_points.MESSAGE_ACKNOWLEDGED)
def _(original, session):
    if session.mode == Session.SESSION_TRANSACTED:
        session.commit()
    else:
        original(session)


@saboteur("6.2.7-18", "a session without consumers sends at once after its second commit")
def _(patch):
    commits = Counter()
    kept = []

    def count(session):
        commits[id(session)] += 1
        kept.append(session)

    before_commit(patch, count)

    def submit(original, session, physical, entry):
        if commits[id(session)] >= 2 and not session.consumers:
            work = Work(session.broker)
            work.sends.append((physical, entry))
            work.perform()
        else:
            original(session, physical, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)


@saboteur("6.2.7-19", "commit() of a session that is not transacted does nothing", at=fault_points.COMMIT)
def _(original, session):
    session.check_open()
    if session.mode == Session.SESSION_TRANSACTED:
        original(session)
