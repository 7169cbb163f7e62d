"""Faults in 7.3.2: exceptions of asynchronous sends."""

from faults.kit import *


def _failing(patch, kinds, fault):
    """Run `fault` when an asynchronous send raises one of these exceptions, which is raised if it returns true."""

    def send(original, producer, message, **options):
        listener = options.get("completion_listener", OMITTED)
        try:
            original(producer, message, **options)
        except kinds as error:
            if listener is OMITTED or fault(producer.session.broker.clock, listener, message, error):
                raise

    def send_by(original, producer, to, body, **options):
        listener = producer.get_async()
        try:
            return original(producer, to, body, **options)
        except kinds as error:
            if listener is None or fault(producer._session.broker.clock, listener, body, error):
                raise
            return producer

    patch.around(ReferenceProducer, "send", send)
    patch.around(ReferenceJMSProducer, "send", send_by)


@saboteur(
    "7.3.2-1",
    "an asynchronous send of null is reported by onException",
    by=lambda patch, made: _failing(patch, (MessageFormatException, MessageFormatRuntimeException), made),
)
def _(clock, listener, message, error):
    clock.spawn(lambda: listener.on_exception(message, error), "reference-provider-late")
    return False


@saboteur(
    "7.3.2-2",
    "an asynchronous send to null throws and calls onException",
    by=lambda patch, made: _failing(patch, (InvalidDestinationException, InvalidDestinationRuntimeException), made),
)
def _(clock, listener, message, error):
    clock.spawn(lambda: listener.on_exception(message, error), "reference-provider-late")
    return True


@saboteur("7.3.2-3", "sends that are outstanding when the link is lost have no callback")
def _(patch):
    lost = set[Completions]()

    def sever(original, connection, *arguments):
        lost.update(session.completions for session in connection.sessions)
        original(connection, *arguments)

    def call_listener(original, completions, completion):
        if completions not in lost:
            original(completions, completion)

    patch.at(fault_points.LINK_LOST, sever)
    patch.at(fault_points.COMPLETION_CALLED, call_listener)
