"""Faults in 2.12: what starts the delivery of messages."""

from faults.kit import *


@saboteur("2.12.1-1", "a connection is started as soon as it is created", at=fault_points.CONNECTION_OPENED)
def _(original, *arguments):
    connection = original(*arguments)
    connection.running = True
    return connection


@saboteur(
    "2.12.1-2",
    "start() has no effect on consumers that exist already",
    collateral={
        "2.12.1-1": "its consumer is created before start()",
        "2.12.1-3": "a context creates its consumer and starts then",
    },
)
def _(patch):
    deaf = set[Receiver]()

    def open_receiver(original, factory, *arguments):
        receiver = original(factory, *arguments)
        if not factory.connection.running:
            deaf.add(receiver)
        return receiver

    def next_delivery(original, consumer, timeout):
        running = consumer.session.connection.running
        return None if running and consumer.receiver in deaf else original(consumer, timeout)

    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)
    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur("2.12.1-3", "a JMSContext does not deliver before start() is called")
def _(patch):
    def create(original, self, *arguments):
        wanted, self._auto_start = self._auto_start, False
        try:
            return original(self, *arguments)
        finally:
            self._auto_start = wanted

    creators = [name for name in vars(JMSContext) if name.endswith("_consumer")]
    around_each(patch, ReferenceContext, ["create_browser", *creators], create)
