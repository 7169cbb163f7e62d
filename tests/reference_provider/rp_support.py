"""What the tests of the reference provider share: connecting, sending, draining, listeners that keep what they get."""

from tck.api import CompletionListener, ExceptionListener, MessageListener, Session


class Keeping(MessageListener):
    """Keeps the texts it gets; calls `then` with each message."""

    def __init__(self, then=None):
        self.texts = []
        self.then = then or (lambda message: None)  # called with the message

    def on_message(self, message):
        """Keep it."""
        self.texts.append(message.text)
        self.then(message)


class Completing(CompletionListener):
    """Keeps how sends ended; calls `then` with each message."""

    def __init__(self, then=None):
        self.sent = []
        self.failed = []
        self.then = then or (lambda message: None)  # called with the message

    def on_completion(self, message):
        """Keep it."""
        self.then(message)
        self.sent.append(message.text)

    def on_exception(self, message, exception):
        """Keep it."""
        self.then(message)
        self.failed.append((message.text, exception))


class Told(ExceptionListener):
    """Keeps problems; sets `event` with each."""

    def __init__(self, event):
        self.problems = []
        self.event = event

    def on_exception(self, exception):
        """Keep it."""
        self.problems.append(exception)
        self.event.set()


def connect(provider, client_id=None, start=True):
    """Make a connection."""
    connection = provider.connection_factory().create_connection()
    if client_id is not None:
        connection.client_id = client_id
    if start:
        connection.start()
    return connection


def session_of(provider, mode=Session.AUTO_ACKNOWLEDGE, client_id=None):
    """Make a session on a connection of its own."""
    return connect(provider, client_id).create_session(session_mode=mode)


def send(session, destination, *texts, **options):
    """Send texts with options of the producer."""
    producer = session.create_producer(destination)
    for name, value in options.items():
        setattr(producer, name, value)
    for text in texts:
        producer.send(session.create_text_message(text))
    producer.close()


def texts_of(consumer, limit=100):
    """Receive what is there."""
    texts = []
    while len(texts) < limit and (message := consumer.receive(1)) is not None:
        texts.append(message.text)
    return texts
