"""Narrow faults of section 7.3."""

from dataclasses import replace

from faults.kit import *
from faults.nearly_right.shared import *


@of_round(8)(
    "deleted-destination-is-reported-twice",
    "an asynchronous send to a deleted temporary destination throws, and onException is called as well",
    "7.3.2-2",
    at=fault_points.SENT_ASYNCHRONOUSLY,
)
def _(original, producer, message, destination, options, listener, sender):
    try:
        original(producer, message, destination, options, listener, sender)
    except InvalidDestinationException as error:
        if isinstance(destination, TemporaryQueue | TemporaryTopic):
            producer.session.completions.add(Completion(sender, listener, message, error))
        raise


@of_round(14)(
    "fourteen-b-async-last-in-commit",
    "A commit sends what was sent asynchronously after all that was sent synchronously.",
    "7.3.3-2 6.2.9.2-10",
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


@of_round(6)(
    "transacted-synchronous-send-overtakes",
    "in a transaction a synchronous send goes before the asynchronous sends to the same destination made just before it",
    "7.3.3-2 6.2.9.2-10 7.3.3-3",
)
def _(patch):
    sending = set()
    asynchronous = Marked()

    def send_later(original, producer, *arguments):
        sending.add(producer.session)
        try:
            original(producer, *arguments)
        finally:
            sending.discard(producer.session)

    def submit(original, session, physical, entry):
        original(session, physical, entry)
        if session in sending:
            asynchronous.add(entry)
        elif session.state.mode == Session.SESSION_TRANSACTED:
            sends = session.state.work.sends
            sent = sends.pop()
            position = len(sends)
            while position and sends[position - 1][0] is physical and sends[position - 1][1] in asynchronous:
                position -= 1
            sends.insert(position, sent)

    patch.at(fault_points.SENT_ASYNCHRONOUSLY, send_later)
    patch.at(fault_points.SEND_SUBMITTED, submit)


@of_round(9)(
    "callback-goes-to-the-listener-set-last",
    "if a JMSProducer has got another completion listener before a callback is made, that one is called",
    "7.3-4 7.3-6",
    at=fault_points.COMPLETION_CALLED,
)
def _(original, completions, completion):
    sender = completion.sender
    present = sender._completion_listener if isinstance(sender, ReferenceJMSProducer) else None
    original(completions, completion if present is None else replace(completion, listener=present))


@of_round(6)(
    "producer-closed-by-on-exception",
    "close of its own producer is accepted in onException, while it is refused in onCompletion",
    "7.3.4-8",
    around=(ReferenceProducer, "close"),
)
def _(original, producer):
    completions = producer.session.completions
    running = completions._running
    if completions.is_current_thread() and running is not None and running.error is not None:
        producer.closed = True
        producer.session.forget_producer(producer)
        return
    original(producer)


@of_round(11)(
    "asynchronous-send-that-threw-swallows-the-next-callback",
    "after an asynchronous send that threw, the next asynchronous send of the session ends without a callback",
    "7.3-6 7.3.1-1",
)
def _(patch):
    owed = []

    def send_later(original, producer, *arguments):
        try:
            original(producer, *arguments)
        except JMSException:
            owed.append(producer.session.completions)
            raise

    def add(original, completions, completion):
        if completions in owed:
            owed.remove(completions)
        else:
            original(completions, completion)

    patch.at(fault_points.SENT_ASYNCHRONOUSLY, send_later)
    patch.at(fault_points.COMPLETION_QUEUED, add)


class _Reporting(CompletionListener):
    """Passes callbacks on; what onCompletion raises is reported to onException as well."""

    def __init__(self, listener):
        self._listener = listener

    def on_completion(self, message):
        try:
            self._listener.on_completion(message)
        except Exception as error:
            self._listener.on_exception(message, JMSException(f"the completion failed: {error}"))
            raise

    def on_exception(self, message, exception):
        self._listener.on_exception(message, exception)


@of_round(6)(
    "failing-on-completion-is-followed-by-on-exception",
    "when onCompletion raises, onException is called for the same message as well",
    "7.3-6",
    at=fault_points.COMPLETION_CALLED,
)
def _(original, completions, completion):
    original(completions, replace(completion, listener=_Reporting(completion.listener)))


@of_round(8)(
    "sends-of-a-callback-get-no-callback",
    "an asynchronous send that a completion callback makes through its own session is never reported",
    "7.3-6 7.3.7-3",
    at=fault_points.COMPLETION_QUEUED,
)
def _(original, completions, completion):
    if not completions.is_current_thread():
        original(completions, completion)


@of_round(14)(
    "fourteen-b-nobody-no-completion",
    "No callback comes for a NON_PERSISTENT message sent asynchronously to a topic without subscriptions.",
    "7.3-7 7.3-6 7.3.1-1",
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


@of_round(9)(
    "asynchronous-sends-miss-later-transactions",
    "asynchronous sends join the first transaction of a session; after its commit they take effect at once",
    "7.3-8 6.2.7-4 6.2.7-5",
)
def _(patch):
    committed = {}  # sessions by identity
    sending = set()  # identities of sessions within an asynchronous send

    def commit(original, session):
        original(session)
        committed[id(session)] = session

    def send_later(original, producer, *arguments):
        sending.add(id(producer.session))
        try:
            original(producer, *arguments)
        finally:
            sending.discard(id(producer.session))

    def submit(original, session, physical, entry):
        if id(session) in committed and id(session) in sending:
            SingleSend(session.broker, physical, entry).perform()
        else:
            original(session, physical, entry)

    patch.at(fault_points.COMMIT, commit)
    patch.at(fault_points.SENT_ASYNCHRONOUSLY, send_later)
    patch.at(fault_points.SEND_SUBMITTED, submit)


@of_round(7)(
    "failed-non-persistent-send-counts-as-complete",
    "an asynchronous send of a NON_PERSISTENT message that failed at the provider ends in onCompletion",
    "7.3-10 7.3.2-3",
    at=fault_points.COMPLETION_QUEUED,
)
def _(original, callbacks, one):
    if one.error is not None and one.message.jms_delivery_mode == DeliveryMode.NON_PERSISTENT:
        one = replace(one, error=None)
    original(callbacks, one)
