"""Faults in 4.2.9: clients that create and delete durable subscriptions."""

from faults.kit import *


@saboteur(
    "4.2.9-1",
    "a client cannot subscribe to a topic before an administrator registers it",
    at=fault_points.SUBSCRIPTION_OPENED,
)
def _(original, factory, physical, text, matches, subscription):
    if isinstance(physical, PhysicalTopic) and subscription is not None and subscription.key is None:
        raise JMSException("the client is not registered as a subscriber")
    return original(factory, physical, text, matches, subscription)


@saboteur("4.2.9-2", "clients cannot create durable subscriptions")
def _(patch):
    def store(self, *arguments, **options):
        raise JMSException("no such durable subscription has been prepared")

    patch.replace(Subscriptions, "store", store)


@saboteur("4.2.9-3", "clients cannot delete durable subscriptions", at=fault_points.SUBSCRIPTION_DELETED)
def _(original, factory, name):
    raise JMSException("ask an administrator to delete the subscription")
