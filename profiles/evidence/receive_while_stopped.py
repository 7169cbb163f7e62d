"""A receive() that waits while its connection is stopped gets what waits there after start() (8.4)."""

import threading

from brokers import connect, connection, end, tell

_, queue = connect()
receiving = connection()
session = receiving.createSession(False, 1)
consumer = session.createConsumer(queue)
sender = connection().createSession(False, 1)
producer = sender.createProducer(queue)
for text in ("first", "second"):
    producer.send(sender.createTextMessage(text))
tell("received before stop()", lambda: str(consumer.receive(5000).getText()))
receiving.stop()
got, done = [], threading.Event()


def wait():
    got.append(str(consumer.receive().getText()))
    done.set()


threading.Thread(target=wait, daemon=True).start()
done.wait(1)
receiving.start()
done.wait(5)
tell("what receive() gave within 5 s of start()", lambda: got, lambda came: came == ["second"])
end()
