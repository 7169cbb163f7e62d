"""What witnesses write with: a witness gets the provider, uses it through the API alone, and returns what it saw."""

import threading
from contextlib import contextmanager

from tck.api import (
    CompletionListener,
    ExceptionListener,
    JMSContext,
    JMSException,
    JMSRuntimeException,
    MessageListener,
    NumberFormatException,
    ServerSession,
    ServerSessionPool,
    XAException,
    XAResource,
    Xid,
)

AUTO, CLIENT = JMSContext.AUTO_ACKNOWLEDGE, JMSContext.CLIENT_ACKNOWLEDGE
DUPS_OK, TRANSACTED = JMSContext.DUPS_OK_ACKNOWLEDGE, JMSContext.SESSION_TRANSACTED
NO_FLAGS, SUCCESS, FAIL = XAResource.TMNOFLAGS, XAResource.TMSUCCESS, XAResource.TMFAIL
SUSPEND, RESUME, JOIN = XAResource.TMSUSPEND, XAResource.TMRESUME, XAResource.TMJOIN
FIRST, SECOND = Xid(1, b"red", b"1"), Xid(1, b"red", b"2")


def context_of(provider, mode=AUTO, client_id=None):
    """Return a new context."""
    context = provider.connection_factory().create_context(session_mode=mode)
    if client_id is not None:
        context.client_id = client_id
    return context


def xa_session_of(provider):
    """Return a started XA connection, a session of it, and the session's resource."""
    connection = provider.xa_connection_factory().create_xa_connection()
    connection.start()
    session = connection.create_xa_session()
    return connection, session, session.xa_resource


def text_message(context, body, **properties):
    """Return a new text message."""
    message = context.create_text_message(body)
    for name, value in properties.items():
        message.set_object_property(name, value)
    return message


def send_texts(context, destination, *texts, **properties):
    """Send text messages, each with the properties."""
    for text in texts:
        context.create_producer().send(destination, text_message(context, text, **properties))


def texts_of(consumer):
    """Receive what is there; return the texts."""
    return [message.text for message in iter(consumer.receive_no_wait, None)]


def texts_at(provider, queue):
    """Consume what a queue holds; return the texts."""
    with context_of(provider) as context:
        return texts_of(context.create_consumer(queue))


def refusal(call):
    """Return the name of the exception that a call throws, None if it returns."""
    try:
        call()
    except XAException as error:
        return f"XAException {error.error_code}"
    except (JMSException, JMSRuntimeException, NumberFormatException) as error:
        return type(error).__name__
    return None


def pause(provider, ms):
    """Let time pass."""
    provider.clock.event().wait(ms)


@contextmanager
def meanwhile(provider, work):
    """Run `work` in another thread that acts, from the beginning of the block; at the end wait until it is done."""
    began, ended = provider.clock.event(), provider.clock.event()

    def run():
        with provider.clock.actor():
            began.set()
            try:
                work()
            finally:
                ended.set()

    threading.Thread(target=run).start()
    began.wait()
    yield
    ended.wait()


class Listening(MessageListener):
    """Calls a function with each message."""

    def __init__(self, call):
        self._call = call

    def on_message(self, message):
        """Call it."""
        self._call(message)


class Completing(CompletionListener):
    """Calls a function when a send is complete."""

    def __init__(self, call=lambda: None):
        self._call = call

    def on_completion(self, message):
        """Call it."""
        self._call()

    def on_exception(self, message, exception):
        """Fail."""
        raise exception


class Hearing(ExceptionListener):
    """Calls a function when a connection is lost."""

    def __init__(self, call):
        self._call = call

    def on_exception(self, exception):
        """Call it."""
        self._call()


class Serving(ServerSessionPool, ServerSession):
    """A pool of one server session; on the thread of the provider it calls `take` when asked, and `start` or `run` when started."""

    def __init__(self, session, start=None, take=lambda: None):
        self._session = session
        self._start = start or session.run
        self._take = take

    def get_server_session(self):
        """Hand it out."""
        self._take()
        return self

    @property
    def session(self):
        """Its session."""
        return self._session

    def start(self):
        """Start it."""
        self._start()
