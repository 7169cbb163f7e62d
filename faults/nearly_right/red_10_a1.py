"""Red round 10, first part: faults in reliability, requestors and exceptions, written without sight of the suite."""

from faults.kit import *


@of_round(10)(
    "only-the-first-message-of-a-transaction-says-redelivered",
    "after the death of the provider only the first message of the open transaction has JMSRedelivered set",
    "9.1-6",
    "9.1-7",
    around=(SessionState, "mark"),
)
def _(original, state, delivery, *, listener):
    if state.mode != Session.SESSION_TRANSACTED or state.work.acks[0] is delivery:
        original(state, delivery, listener=listener)


@of_round(10)(
    "failed-send-leaves-its-options-behind",
    "the delivery mode, priority and time to live given to a send that fails become defaults of the producer",
    "9.2-25",
    "9.2-24",
    around=(ReferenceProducer, "send_now"),
)
def _(original, producer, message, target, options):
    try:
        original(producer, message, target, options)
    except JMSException:
        if options is not producer._options and not producer.session.closed:
            producer.delivery_mode = options.delivery_mode
            producer.priority = options.priority
            producer.time_to_live = options.time_to_live
        raise


@of_round(10)(
    "commit-acknowledges-in-client-mode",
    "commit of a CLIENT_ACKNOWLEDGE session that has unacknowledged messages acknowledges them instead of raising",
    "10.3-7",
    "10.3-10",
    at=fault_points.COMMIT,
)
def _(original, session):
    if session.mode == Session.CLIENT_ACKNOWLEDGE and session.state.unacknowledged:
        session.acknowledge_all()
    else:
        original(session)


@of_round(10)(
    "recover-in-a-transacted-listener-is-ignored",
    "recover of a transacted session returns normally, without effect, when its message listener calls it",
    "10.3-9",
    "10.3-12",
    around=(ReferenceSession, "recover"),
)
def _(original, session):
    if session.mode != Session.SESSION_TRANSACTED or not session.in_listener():
        original(session)
