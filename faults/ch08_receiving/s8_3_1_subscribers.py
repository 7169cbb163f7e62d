"""Faults in 8.3.1: topic subscribers."""

from faults.kit import *

saboteur(
    "8.3.1-17",
    "getTopic() of a subscriber returns null",
    lambda patch: patch.replace(ReferenceSubscriber, "topic", property(lambda self: None)),
)
saboteur(
    "8.3.1-18",
    "getNoLocal() always returns false",
    lambda patch: patch.replace(ReferenceSubscriber, "no_local", property(lambda self: False)),
)
saboteur(
    "8.3.1-19",
    "createSubscriber(null) raises NullPointerException",
    lambda patch: null_refused(patch, ReferenceTopicSession, "create_subscriber"),
)


@saboteur(
    "8.3.1-20",
    "createSubscriber() with an invalid selector makes a subscriber that gets nothing",
    around=(ReferenceTopicSession, "create_subscriber"),
)
def _(original, session, topic, *terms):
    try:
        return original(session, topic, *terms)
    except InvalidSelectorException:
        return original(session, topic, "1 = 2", *terms[1:])
