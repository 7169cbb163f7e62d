"""Faults in 6.2.15: what the close of a session does with unfinished work."""

from faults.kit import *


def _sent_at_end(patch, many=1):
    """Send what an open transaction has sent, if that is at least so many messages, when its session is closed."""

    def fault(session):
        if alone(session):
            send_open(session, many)

    before_end(patch, fault)


saboteur("6.2.15-14", "close() of a session sends what its open transaction has sent", _sent_at_end)
saboteur(
    "6.2.15-15",
    "close() of a session acknowledges what its open transaction has received from queues",
    lambda patch: acknowledged_at_end(patch, transacted=True, queue=True, when=alone),
)
saboteur(
    "6.2.15-16",
    "close() of a session acknowledges what its open transaction has received from durable subscriptions",
    lambda patch: acknowledged_at_end(patch, transacted=True, queue=False, when=alone),
)
saboteur(
    "6.2.15-17",
    "close() of a session acknowledges its messages of queues in CLIENT_ACKNOWLEDGE",
    lambda patch: acknowledged_at_end(patch, transacted=False, queue=True, when=alone),
)
saboteur(
    "6.2.15-18",
    "close() of a session acknowledges its messages of durable subscriptions in CLIENT_ACKNOWLEDGE",
    lambda patch: acknowledged_at_end(patch, transacted=False, queue=False, when=alone),
)
