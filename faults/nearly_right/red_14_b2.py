"""A red round: faults of sending, asynchronous sends, settings of producers, consumers and subscriptions."""

from dataclasses import replace

from faults.kit import *

# --- settings ---------------------------------------------------------------------------------------------------------


@of_round(14)(
    "fourteen-b-zero-life-async",
    "A time to live of 0 given in an asynchronous send does not override the producer's own.",
    "7.4-9",
    "7.4-7",
    "3.4.9-5",
    at=fault_points.SENT_ASYNCHRONOUSLY,
)
def _(original, producer, message, destination, options, *others):
    options = replace(options, time_to_live=options.time_to_live or producer._time_to_live)
    original(producer, message, destination, options, *others)


@of_round(14)(
    "fourteen-b-priority-sticks",
    "The priority given in a send stays that of a producer without a destination for its next sends.",
    "7.4-8",
    "7.4-6",
    around=(ReferenceProducer, "options"),
)
def _(original, producer, *arguments):
    chosen = original(producer, *arguments)
    if arguments[0] is not OMITTED and producer._destination is None:
        producer._options = replace(producer._own_options(), priority=chosen.priority)
    return chosen


# --- sending ----------------------------------------------------------------------------------------------------------


# --- asynchronous sends -----------------------------------------------------------------------------------------------


@of_round(14)(
    "fourteen-b-async-last-in-commit",
    "A commit sends what was sent asynchronously after all that was sent synchronously.",
    "7.3.3-2",
    "6.2.9.2-10",
)
def _(patch):
    later = Marked()

    def send_later(original, producer, *arguments):
        original(producer, *arguments)
        work = producer.session.state.work
        if producer.session.state.mode == Session.SESSION_TRANSACTED and work.sends:
            later.add(work.sends[-1][1])

    def commit(session):
        session.state.work.sends.sort(key=lambda send: send[1] in later)

    patch.at(fault_points.SENT_ASYNCHRONOUSLY, send_later)
    before_commit(patch, commit)


@of_round(14)(
    "fourteen-b-nobody-no-completion",
    "No callback comes for a NON_PERSISTENT message sent asynchronously to a topic without subscriptions.",
    "7.3-7",
    "7.3-6",
    "7.3.1-1",
)
def _(patch):
    silent = set()

    def send_later(original, producer, message, destination, options, *others):
        physical = producer.physical_destination(destination)
        unheard = isinstance(physical, PhysicalTopic) and not physical.subscriptions
        if unheard and options.delivery_mode == DeliveryMode.NON_PERSISTENT:
            silent.add(id(message))
        try:
            original(producer, message, destination, options, *others)
        finally:
            silent.discard(id(message))

    def add(original, completions, completion):
        if completion.error is not None or id(completion.message) not in silent:
            original(completions, completion)

    patch.at(fault_points.SENT_ASYNCHRONOUSLY, send_later)
    patch.at(fault_points.COMPLETION_QUEUED, add)


@of_round(14)(
    "fourteen-b-sibling-close-hurries",
    "close of a context does not wait for callbacks while another context uses the connection.",
    "7.3.4-4",
)
def _(patch):
    hurried = set()

    def close(original, context):
        if context.shared._users > 1:
            hurried.add(context.session.completions)
        try:
            original(context)
        finally:
            hurried.discard(context.session.completions)

    def wait(original, completions, sender=None):
        if completions not in hurried:
            original(completions, sender)

    around(patch, ReferenceContext, "close", close)
    patch.at(fault_points.COMPLETIONS_AWAITED, wait)


# --- consumers and subscriptions --------------------------------------------------------------------------------------


@of_round(14)(
    "fourteen-b-subscriber-empty-selector",
    "createDurableSubscriber with an empty selector replaces a subscription that exists and has none.",
    "8.3.3-31",
    "8.3.3-4",
    "8.3.3-39",
)
def _(patch):
    def replaceable(found, topic):
        if found.shared or found.consumers or found.selector or found.delivery_queue.physical.destination != topic:
            return False
        return not found.delivery_queue.count_taken()

    def create(original, session, *arguments, **named):
        selector = arguments[2] if len(arguments) > 2 else named.get("message_selector")
        topic = arguments[0] if arguments else named.get("topic")
        name = arguments[1] if len(arguments) > 1 else named.get("name")
        session.check_open()
        found = session.broker.subscriptions.durable((session.connection.client_id_or_none, name))
        if selector == "" and found is not None and replaceable(found, topic):
            session.broker.subscriptions.delete(found)
        return original(session, *arguments, **named)

    around(patch, ReferenceSession, "create_durable_subscriber", create)


@of_round(14)(
    "fourteen-b-founder-takes-all",
    "When the consumer that created a shared non-durable subscription closes and only other connections have consumers "
    "on it, the messages that wait are lost.",
    "8.3.2-11",
    "8.3.2-10",
)
def _(patch):
    members = {}

    def open_shared(original, factory, *arguments):
        receiver = original(factory, *arguments)
        if receiver.subscription is not None:
            members.setdefault(receiver.subscription, []).append((receiver, factory))
        return receiver

    def detach(original, consumer):
        receiver = consumer.receiver
        all_members = members.get(receiver.subscription, []) if receiver.subscription is not None else []
        if all_members and all_members[0][0] is receiver and not receiver.closed:
            others = [factory for other, factory in all_members if other is not receiver and not other.closed]
            if others and all_members[0][1] not in others:
                for entry in list(receiver.delivery_queue.free_entries()):
                    receiver.delivery_queue.remove(entry.number, entry.priority)
        original(consumer)

    around(patch, ConsumerFactory, "open_shared", open_shared)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


# --- acknowledgement and closing --------------------------------------------------------------------------------------


@of_round(14)(
    "fourteen-b-close-after-acknowledge",
    "A CLIENT_ACKNOWLEDGE session that has acknowledged once acknowledges its later queue messages when it is closed.",
    "6.2.15-17",
    "6.2.10-6",
    "6.2-12",
)
def _(patch):
    acknowledged = set()

    def acknowledge(original, session):
        original(session)
        acknowledged.add(session)

    def end(original, session):
        if session in acknowledged and alone(session) and session.connection.lost is None:
            state = session.state
            with session.broker.lock:
                done = [one for one in state.unacknowledged if isinstance(one.source.physical, PhysicalQueue)]
                state.unacknowledged = [one for one in state.unacknowledged if one not in done]
            state.acknowledge(done, durable=True)
        acknowledged.discard(session)
        original(session)

    patch.at(fault_points.ACKNOWLEDGED, acknowledge)
    patch.at(fault_points.SESSION_ENDED, end)
