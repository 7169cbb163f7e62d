"""Once the close of a consumer has returned, its listener is not called any more, however messages and closes cross."""

import threading

from reference_provider.adapter import open_provider
from tck import api

ROUNDS = 100


class _Late(api.MessageListener):
    """Notes whether it was called after its consumer was closed."""

    def __init__(self):
        self.closed = False
        self.late = 0
        self.called = threading.Event()

    def on_message(self, message):
        self.late += self.closed
        self.called.set()


def test_a_message_that_crosses_the_close_of_its_consumer_stays(tmp_path):
    with open_provider({"clock": "system"}, tmp_path) as provider:
        queue = provider.create_queue("crossing")
        connection = provider.connection_factory().create_connection()
        connection.start()
        sending, receiving = connection.create_session(), connection.create_session()
        producer = sending.create_producer(queue)
        producer.delivery_mode = api.DeliveryMode.NON_PERSISTENT
        over = threading.Event()

        def send():
            while not over.is_set():
                producer.send(sending.create_message())

        sender = threading.Thread(target=send)
        sender.start()
        listeners = [_Late() for _ in range(ROUNDS)]
        for listener in listeners:
            consumer = receiving.create_consumer(queue)
            consumer.message_listener = listener
            assert listener.called.wait(10)
            consumer.close()
            listener.closed = True
        over.set()
        sender.join(10)
        connection.close()
    assert [listener.late for listener in listeners] == [0] * ROUNDS
