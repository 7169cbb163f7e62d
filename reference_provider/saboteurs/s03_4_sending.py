"""Faults in 3.4.11: what a send sets on the sender's message, at once, by completion, and on foreign messages."""

from __future__ import annotations

from reference_provider.broker.stored_message import Stamp
from reference_provider.client import producers
from reference_provider.client.completions import Completion, Completions
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.messages import ReferenceMessage
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import Destination, Message


@saboteur("3.4.11-1", "a synchronous send sets JMSTimestamp on an internal copy of the provider's own messages only")
def _(patch: Patch) -> None:
    original = ReferenceProducer.send_now

    def send_now(self: ReferenceProducer, message: Message, destination: Destination, options: Options) -> None:
        original(self, message, destination, options)
        if isinstance(message, ReferenceMessage):
            message.jms_timestamp = 0

    patch.replace(ReferenceProducer, "send_now", send_now)


@saboteur("3.4.11-2", "the sender's message gets its id after the completion callback")
def _(patch: Patch) -> None:
    original = Completions.call_listener

    def call_listener(self: Completions, completion: Completion) -> None:
        message_id, completion.message.jms_message_id = completion.message.jms_message_id, None
        original(self, completion)
        completion.message.jms_message_id = message_id

    patch.replace(Completions, "call_listener", call_listener)


@saboteur("3.4.11-9", "the headers of a foreign message stay as they are")
def _(patch: Patch) -> None:
    original = producers.write_headers

    def write_headers(message: Message, stamp: Stamp) -> None:
        if isinstance(message, ReferenceMessage):
            original(message, stamp)

    patch.replace(producers, "write_headers", write_headers)
