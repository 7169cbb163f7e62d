"""Faults in 7.6: headers set on a JMSProducer."""

from faults.kit import *

HEADERS = ("jms_correlation_id", "jms_type", "jms_reply_to")


def _overlay(patch, fault):
    """Run `fault` after the producer's headers were set on a message, with the message's own ones."""

    def overlay(original, producer, message):
        before = {name: getattr(message, name) for name in HEADERS}
        original(producer, message)
        fault(producer, message, before)

    patch.at(fault_points.PRODUCER_APPLIED, overlay)


def _message_wins(patch, header, applies=bool):
    """Keep the message's own header where it has one."""

    def fault(_, message, before):
        if before[header] is not None and applies(getattr(message, header)):
            setattr(message, header, before[header])

    _overlay(patch, fault)


BOTH = "the case sets the header on the producer and on the message"
saboteur(
    "7.6-2",
    "the JMSCorrelationID of a message wins over the producer's",
    lambda patch: _message_wins(patch, "jms_correlation_id"),
    collateral={"7.6-5": BOTH, "7.6-9": BOTH},
)
saboteur(
    "7.6-3",
    "the JMSType of a message wins over the producer's",
    lambda patch: _message_wins(patch, "jms_type"),
    collateral={"7.6-9": BOTH},
)
saboteur(
    "7.6-4",
    "the JMSReplyTo of a message wins over a topic of the producer",
    lambda patch: _message_wins(patch, "jms_reply_to", lambda reply: isinstance(reply, Topic)),
)


@saboteur("7.6-8", "messages made of a map have no JMSType of the producer", around=(ReferenceJMSProducer, "send"))
def _(original, self, destination, body, **options):
    kept = self.get_jms_type()
    if isinstance(body, dict):
        self.set_jms_type(None)
    try:
        return original(self, destination, body, **options)
    finally:
        self.set_jms_type(kept)


@saboteur("7.6-9", "a producer with a JMSType removes the JMSCorrelationID of the message", by=_overlay)
def _(producer, message, before):
    if producer.get_jms_type() is not None and producer.get_jms_correlation_id() is None:
        message.jms_correlation_id = None


@saboteur(
    "7.6-10", "getJMSReplyTo returns null after a topic was set", around=(ReferenceJMSProducer, "get_jms_reply_to")
)
def _(original, self):
    reply = original(self)
    return None if isinstance(reply, Topic) else reply
