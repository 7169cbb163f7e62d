"""A fresh toy provider and a recorder around it for each test of the adapters."""

import pytest
from adapters_toy import ToyProvider

from tck.adapters.recording import Recorder


class Recorded:
    """A recorded toy with a connection, a session and a queue."""

    def __init__(self):
        self.raw = ToyProvider()
        self.recorder = Recorder(self.raw.clock, "3.4.1-1/queue/classic/auto")
        self.provider = self.recorder.wrap(self.raw)
        self.queue = self.provider.create_queue("q")
        self.connection = self.provider.connection_factory().create_connection()
        self.session = self.connection.create_session()

    def events(self, op=None, phase=None):
        """Give the events of one operation and phase."""
        return [
            event
            for event in self.recorder.events
            if (op is None or event["op"] == op) and (phase is None or event["phase"] == phase)
        ]

    def sent(self, text="hello"):
        """Send a text message to the queue and give it."""
        message = self.session.create_text_message(text)
        self.session.create_producer(self.queue).send(message)
        return message


@pytest.fixture
def toy():
    return Recorded()
