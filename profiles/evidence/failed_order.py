"""Do the callbacks of asynchronous sends keep their order if the broker refuses some?  failed_order.py PROVIDER with:KEY=VALUE

They come in the order of the sends (7.3.8), onException among them. Artemis calls onException for a message that the broker
refuses where `confirmationWindowSize` is not -1; so the word is such as `with:confirmationWindowSize=1048576`.
"""

from queue import SimpleQueue

from brokers import api, connect, connection, end, fail_next_send, tell
from jpype import JProxy

connect()


def order(attempt):
    session, came, waited = connection().createSession(False, 1), SimpleQueue(), SimpleQueue()
    producer = session.createProducer(session.createQueue(f"order.{attempt}"))

    def called(message):
        if str(message.getText()) == "0":
            waited.get(timeout=5)  # the first callback is held until all messages are sent
        came.put(int(str(message.getText())))

    listener = JProxy(api("CompletionListener"), dict={"onCompletion": called, "onException": lambda message, _: called(message)})
    for number in range(10):
        if number in {3, 7}:
            fail_next_send(producer.getDestination())
        producer.send(session.createTextMessage(str(number)), listener)
    waited.put(1)
    return [came.get(timeout=5) for _ in range(10)]


orders = [order(attempt) for attempt in range(50)]
tell("callbacks came in the order", lambda: next((each for each in orders if each != sorted(each)), sorted(orders[0])), str(list(range(10))))
end()
