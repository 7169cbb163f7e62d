"""Faults in 4.1.7: QueueRequestor."""

from faults.kit import *


@saboteur(
    "4.1.7-2",
    "a requestor uses an ordinary destination for replies",
    collateral=dict.fromkeys(("4.1.7-5", "4.2.10-5"), "an ordinary destination outlives the requestor"),
)
def _(patch):
    def request_by_queue(self, message):
        session = self._session
        queue = session.create_queue(f"replies-of-{id(self)}")
        receiver = session.create_receiver(queue)
        message.jms_reply_to = queue
        self._sender.send(message)
        return answered(receiver.receive())

    def request_by_topic(self, message):
        session = self._session
        topic = session.create_topic(f"replies-of-{id(self)}")
        subscriber = session.create_subscriber(topic)
        message.jms_reply_to = topic
        self._publisher.publish(message)
        return answered(subscriber.receive())

    patch.replace(ReferenceQueueRequestor, "request", request_by_queue)
    patch.replace(ReferenceTopicRequestor, "request", request_by_topic)


@saboteur("4.1.7-5", "closing a requestor leaves its session open")
def _(patch):
    def close_queue(self):
        self._sender.close()
        self._receiver.close()
        self._reply_queue.delete()

    def close_topic(self):
        self._publisher.close()
        self._subscriber.close()
        self._reply_topic.delete()

    patch.replace(ReferenceQueueRequestor, "close", close_queue)
    patch.replace(ReferenceTopicRequestor, "close", close_topic)
