"""Faults in 2.5: the sets of interfaces."""

from faults.kit import *

saboteur(
    "2.5-1",
    "createQueueConnection is not supported",
    lambda patch: unsupported(
        patch, ReferenceQueueConnectionFactory, "create_queue_connection", "the old interfaces are not supported"
    ),
    collateral={"2.5-2": "its messages and destinations come from all interfaces"},
)


@saboteur("2.5-2", "a MessageProducer refuses messages that a JMSContext created")
def _(patch):
    made = []
    creating, sending = ReferenceContext.create_text_message, ReferenceProducer.send

    def create_text_message(self, text=OMITTED):
        message = creating(self, text)
        made.append(message)
        return message

    def send(self, message, **options):
        if any(message is one for one in made):
            raise MessageFormatException("the message is of another interface")
        sending(self, message, **options)

    patch.replace(ReferenceContext, "create_text_message", create_text_message)
    patch.replace(ReferenceProducer, "send", send)
