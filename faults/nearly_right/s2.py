"""Narrow faults of chapter 2."""

from faults.kit import *
from faults.nearly_right.shared import *


@of_round(5)(
    "commit-over-both-domains-forgets-subscribers",
    "what a transaction publishes does not reach non-durable subscribers if it has also taken a message from a queue",
    "2.4-2 4.2.2-2",
)
def _(patch):
    marked = Marked()

    def fault(session):
        work = session.state.work
        if any(isinstance(one.source.physical, PhysicalQueue) for one in work.acks):
            for physical, entry in work.sends:
                if isinstance(physical, PhysicalTopic):
                    marked.add(entry)

    def route(original, broker, physical, entry):
        found = original(broker, physical, entry)
        return [one for one in found if one.subscription is not None] if entry in marked else found

    before_commit(patch, fault)
    patch.at(fault_points.ROUTED, route)


@of_round(5)(
    "producer-knows-destinations-by-name-only",
    "a JMSProducer that has sent to a queue sends there again when it is given the topic of the same name, or the reverse",
    "2.8.2-1",
)
def _(patch):
    known = {}

    def send(original, self, destination, body, *, body_type=OMITTED):
        if isinstance(destination, ReferenceDestination):
            _, destination = known.setdefault((id(self), destination.name), (self, destination))
        return original(self, destination, body, body_type=body_type)

    patch.around(ReferenceJMSProducer, "send", send)


of_round(3)(
    "context-unsubscribe-throws-checked",
    "unsubscribe of a JMSContext reports an unknown name by the checked exception",
    "2.8.2-8",
    install=lambda patch: patch.replace(
        ReferenceContext, "unsubscribe", lambda self, name: self.session.unsubscribe(name)
    ),
)


@of_round(3)(
    "topic-session-unsubscribe-only-empties",
    "unsubscribe of a TopicSession empties the durable subscription, which goes on collecting",
    "2.9-7 4.2.9-3",
    around=(ReferenceTopicSession, "unsubscribe"),
)
def _(original, self, name):
    subscriptions = self.broker.subscriptions
    found = subscriptions.durable((self.connection.client_id_or_none, name or ""))
    original(self, name)
    with subscriptions.naming:
        terms = Terms(found.delivery_queue.physical, found.selector, found.no_local)
        subscriptions.store(found.key, terms, found.matches, shared=found.shared, replaced=None)


# Seen in brokers that take a non-persistent message out of the queue once it is dispatched.
@of_round(2)(
    "queue-session-takes-non-persistent-messages-along",
    "NON_PERSISTENT messages that a QueueSession has not acknowledged at its close are lost",
    "2.9-8",
    at=fault_points.SESSION_ENDED,
)
def _(original, session):
    if isinstance(session, QueueSession):
        kept = session.state.unacknowledged
        kept[:] = [one for one in kept if one.entry.delivery_mode == DeliveryMode.PERSISTENT]
    original(session)


@of_round(3)(
    "closing-a-receiver-acknowledges",
    "closing a QueueReceiver before its CLIENT_ACKNOWLEDGE session acknowledges what it has received",
    "2.9-8",
    around=(ReferenceReceiver, "close"),
)
def _(original, self):
    state = self.session.state
    if not self.closed and self.session.mode == Session.CLIENT_ACKNOWLEDGE:
        with self.session.broker.lock:
            own = [one for one in state.unacknowledged if one.consumer is self]
            state.unacknowledged = [one for one in state.unacknowledged if one not in own]
        state.acknowledge(own, durable=True)
    original(self)


@of_round(2)(
    "created-context-inherits-no-auto-start",
    "a context created from one with autoStart off does not start when it gets a consumer",
    "2.12.1-3",
    around=(ReferenceContext, "create_context"),
)
def _(original, self, session_mode):
    made = original(self, session_mode)
    made._auto_start = self._auto_start
    return made


@of_round(5)(
    "context-of-a-context-does-not-start",
    "a consumer of a context that was made from another context does not start the connection",
    "2.12.1-3",
)
def _(patch):
    made = []

    def create_context(create, self, session_mode):
        context = create(self, session_mode)
        made.append(context)
        return context

    def start_if_wanted(start, self):
        if not any(self is each for each in made):
            start(self)

    patch.around(ReferenceContext, "create_context", create_context)
    patch.around(ReferenceContext, "_start_if_wanted", start_if_wanted)
