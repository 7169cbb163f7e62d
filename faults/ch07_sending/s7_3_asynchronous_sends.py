"""Faults in 7.3: the methods of asynchronous sends, their listeners and callbacks."""

from faults.kit import *


def _is_named_in_full(options):
    """Return whether a send names a destination, a listener and the options of a non-persistent message."""
    return (
        options.get("completion_listener", OMITTED) is not OMITTED
        and options.get("destination", OMITTED) is not OMITTED
        and options.get("delivery_mode") == DeliveryMode.NON_PERSISTENT
    )


@saboteur("7.3-1", "a non-persistent send with listener, destination and options has no callback")
def _(patch):
    silent = list[Message]()

    def send(original, producer, message, **options):
        if type(producer) is ReferenceProducer and _is_named_in_full(options):
            silent.append(message)
        original(producer, message, **options)

    patch.around(ReferenceProducer, "send", send)
    unanswered(patch, lambda completion: any(one is completion.message for one in silent))


@saboteur(
    "7.3-2",
    "QueueSender and TopicPublisher refuse a non-persistent send with listener, destination and options",
    around=(ReferenceProducer, "send"),
)
def _(original, producer, message, **options):
    if isinstance(producer, (ReferenceSender, ReferencePublisher)) and _is_named_in_full(options):
        raise UnsupportedOperationException("not for one domain")
    original(producer, message, **options)


@saboteur(
    "7.3-3", "a JMSProducer sends bodies synchronously, though a listener is set", around=(ReferenceJMSProducer, "send")
)
def _(original, producer, destination, body, **options):
    listener = producer.get_async()
    if isinstance(body, Message):
        return original(producer, destination, body, **options)
    producer.set_async(None)
    try:
        return original(producer, destination, body, **options)
    finally:
        producer.set_async(listener)


@saboteur("7.3-4", "setAsync(null) is ignored once one listener has replaced another")
def _(patch):
    replaced = set[ReferenceJMSProducer]()

    def set_async(original, producer, listener):
        before = producer.get_async()
        if None not in (before, listener) and before is not listener:
            replaced.add(producer)
        return producer if listener is None and producer in replaced else original(producer, listener)

    patch.around(ReferenceJMSProducer, "set_async", set_async)


@saboteur(
    "7.3-5",
    "a send to a named destination takes a null listener for a synchronous send",
    around=(ReferenceProducer, "send"),
)
def _(original, producer, message, **options):
    if options.get("completion_listener", OMITTED) is None and "destination" in options:
        del options["completion_listener"]
    original(producer, message, **options)


@saboteur("7.3-6", "a slow callback is followed by onException when the session next waits for all callbacks")
def _(patch):
    slow = {}

    def call_listener(original, completions, completion):
        began = completions._clock.now()
        original(completions, completion)
        if completions._clock.now() > began:
            slow.setdefault(completions, []).append(completion)

    def wait_until_done(original, completions, *sender):
        original(completions, *sender)
        for completion in slow.pop(completions, ()):
            completion.listener.on_exception(completion.message, TimeoutError("no answer in time"))

    patch.at(fault_points.COMPLETION_CALLED, call_listener)
    patch.at(fault_points.COMPLETIONS_AWAITED, wait_until_done)


@saboteur("7.3-7", "a non-persistent message without identifier has no callback", by=unanswered)
def _(completion):
    return (
        completion.message.jms_delivery_mode == DeliveryMode.NON_PERSISTENT
        and completion.message.jms_message_id is None
    )


@saboteur(
    "7.3-8",
    "the first asynchronous send of a session is not part of its transaction",
    collateral={"7.3-6": "a transaction with asynchronous sends is rolled back"},
)
def _(patch):
    sending, begun = within(patch, fault_points.SENT_ASYNCHRONOUSLY), set[ReferenceSession]()

    def submit(original, session, *entry):
        if sending and session.mode == Session.SESSION_TRANSACTED and session not in begun:
            SingleSend(session.broker, *entry).perform()
        else:
            original(session, *entry)
        begun.add(session)

    patch.at(fault_points.SEND_SUBMITTED, submit)


@saboteur("7.3-9", "onCompletion is passed null for a message that is not text", at=fault_points.COMPLETION_CALLED)
def _(original, completions, completion):
    if completion.error is None and not isinstance(completion.message, TextMessage):
        completion.listener.on_completion(None)  # the fault
    else:
        original(completions, completion)


@saboteur("7.3-10", "onException is passed null for the exception", at=fault_points.COMPLETION_CALLED)
def _(original, completions, completion):
    if completion.error is None:
        original(completions, completion)
    else:
        completion.listener.on_exception(completion.message, None)  # the fault
