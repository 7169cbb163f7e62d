"""Faults of chapter 3 that no case notices yet."""

import re

from faults.kit import *
from faults.kit.witnessing import *


def _reply_to_own_topic(provider):
    topic, ctx = provider.create_topic("t"), context_of(provider)
    consumer = ctx.create_consumer(topic)
    message = text_message(ctx, "x")
    message.jms_reply_to = topic
    ctx.create_producer().send(topic, message)
    return consumer.receive_no_wait().jms_reply_to == topic


@of_round(14)(
    "a14-reply-to-own-topic-null",
    "JMSReplyTo is null at the receiver if it is the topic that the message was sent to",
    "3.4.6-1 3.4.6-2",
    witness=_reply_to_own_topic,
    expected=True,
    by=as_received,
)
def _(message, delivery):
    physical = delivery.source.physical
    if isinstance(physical, PhysicalTopic) and message.jms_reply_to == physical.destination:
        message.jms_reply_to = None


def _not_matching(patch, wrong):
    """Let a selector not match where `wrong` is true for one of the conditions that AND joins at its top."""

    def compile_selector(original, text, version="3.1"):
        found = original(text, version)
        if found is None:
            return None
        parts = found.tree.conditions if isinstance(found.tree, And) else (found.tree,)

        def matches(view):
            return found.matches(view) and not any(wrong(part, view) for part in parts)

        return Selector(found.text, found.tree, found.names, matches)

    patch.at(fault_points.SELECTOR_COMPILED, compile_selector)


def _float_between(provider):
    queue, ctx = provider.create_queue("q"), context_of(provider)
    message = text_message(ctx, "x")
    message.set_float_property("f", 3.0)
    ctx.create_producer().send(queue, message)
    return texts_of(ctx.create_consumer(queue, "f BETWEEN 1 AND 3"))


@of_round(14)(
    "a14-between-excludes-float-bound",
    "BETWEEN is false for a float property that equals an upper bound written as a whole number",
    "3.8.1.1-70 3.8.1.1-53",
    witness=_float_between,
    expected=["x"],
    by=_not_matching,
)
def _(node, view):
    match node:
        case Between(Identifier(name), _, NumberLiteral(int(high))):
            value = view.get(name)
            return type(value) is Single and float(value) == float(high)
    return False


def _escaped_like(provider):
    queue, ctx = provider.create_queue("q"), context_of(provider)
    ctx.create_producer().send(queue, text_message(ctx, "x", s="a_\nb"))
    return texts_of(ctx.create_consumer(queue, "s LIKE 'a!_%b' ESCAPE '!'"))


@of_round(14)(
    "a14-escaped-like-stops-at-newline",
    "the wildcards of a LIKE with an ESCAPE clause do not stand for line terminators",
    "3.8.1.1-87 3.8.1.1-82 3.8.1.1-83 3.8.1.1-89",
    witness=_escaped_like,
    expected=["x"],
    by=_not_matching,
)
def _(node, view):
    if not isinstance(node, Like) or node.escape is None:
        return False
    value = view.get(node.identifier.name)
    return isinstance(value, str) and re.fullmatch(pattern(node.pattern, node.escape).regex, value) is None


def _bytes_again(provider):
    queue = provider.create_queue("red")
    with context_of(provider) as context:
        message = context.create_bytes_message()
        message.write_bytes(b"ab")
        producer = context.create_producer().send(queue, message)
        message.write_bytes(b"c")
        producer.send(queue, message)
        consumer = context.create_consumer(queue)
        return [consumer.receive_body_no_wait(bytes) for _ in range(2)]


@of_round(8)(
    "bytes-sent-once-are-not-sent-again",
    "a bytes message that is written on after a send and sent again carries what was added since only",
    "3.9-4 3.11.4-3",
    witness=_bytes_again,
    expected=[b"ab", b"abc"],
)
def _(patch):
    original = ReferenceBytesMessage._frozen_body
    sent = {}  # by identity; the arrays are kept, so that no identity is used twice

    def frozen_body(self):
        body = original(self)
        written = self._written
        if written is None:
            return body
        _, before = sent.get(id(written), (written, 0))
        sent[id(written)] = written, len(written)
        return bytes(written[before:]) if before < len(written) else body

    patch.replace(ReferenceBytesMessage, "_frozen_body", frozen_body)
    patch.replace(ReferenceBytesMessage, "_has_body", lambda self: bool(original(self)))


def _array_in_thirds(provider):
    queue, ctx = provider.create_queue("q"), context_of(provider)
    message = ctx.create_stream_message()
    message.write_bytes(b"123456")
    message.write_int(7)
    ctx.create_producer().send(queue, message)
    received, buffer = ctx.create_consumer(queue).receive_no_wait(), bytearray(2)
    return [received.read_bytes(buffer) for _ in range(3)], refusal(lambda: received.read_bytes(buffer))


@of_round(14)(
    "a14-stream-array-ends-early",
    "a byte array in a stream that exactly fills the buffer for the third time or later is not followed by -1",
    "3.11-22",
    witness=_array_in_thirds,
    expected=([2, 2, 2], None),
    around=(ReferenceStreamMessage, "_read_part"),
)
def _(original, message, array, buffer):
    offset = message._offset or 0
    count = original(message, array, buffer)
    if 0 < count == len(buffer) and offset >= 2 * count and offset + count == len(array):
        message._move_on()
    return count
