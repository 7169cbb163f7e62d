"""Faults under one circumstance only, written beside the suite by its own authors."""

from faults.kit import *

LATE_MS = 2
"""Milliseconds from the expiration of a message until it expires."""
LONGEST_UTF = 65_535
"""Bytes of the longest text whose length fits 16 bits."""


# -- delivery ------------------------------------------------------------------------------------------------------------


@nearly_right(
    "order-under-concurrency",
    "a queue swaps two messages of one sender if another sender's messages arrive between them",
    "6.2.9.1-2",
)
def _(patch):
    arrived = {}

    def admit(original, broker, delivery_queue, entry):
        original(broker, delivery_queue, entry)
        if not isinstance(delivery_queue.physical, PhysicalQueue):
            return
        free = set(delivery_queue.numbers())
        _, entries = arrived.setdefault(id(delivery_queue), (delivery_queue, []))
        entries[:] = [one for one in entries if one.number in free]
        own = [one for one in entries if one.sender == entry.sender]
        if len(own) == 2 and own[1] is not entries[entries.index(own[0]) + 1] and own[0].priority == own[1].priority:
            first, second = own
            first.number, second.number = second.number, first.number
            delivery_queue._in_memory.update({first.number: first, second.number: second})
        entries.append(entry)

    patch.at(fault_points.ARRIVED, admit)


@nearly_right(
    "duplicate-after-rollback",
    "a message redelivered after a rollback is delivered again after its commit",
    "6.2.7-6",
    "6.2.7-7",
    "6.2.7-8",
    "6.2.7-1",
)
def _(patch):
    repeated = Marked()

    def commit(original, session):
        again = [one for one in session.state.work.acks if one.count > 1 and one.entry not in repeated]
        session.state.work.acks = [one for one in session.state.work.acks if one not in again]
        original(session)
        for one in again:
            repeated.add(one.entry)
        session.broker.redelivery.redeliver(again)

    patch.at(fault_points.COMMIT, commit)


@nearly_right(
    "expires-late",
    "a message is still delivered in the first millisecond after its expiration",
    "3.4.9-6",
    "3.4.9-7",
    at=fault_points.EXPIRY_CHECKED,
)
def _(original, broker, entry):
    return entry.expiration != 0 and entry.expiration + LATE_MS <= broker.clock.now()


@nearly_right(
    "redelivered-forgotten",
    "a message redelivered after its session was closed does not have JMSRedelivered",
    "3.4.7-1",
    "3.4.7-2",
    "3.5.11-2",
    at=fault_points.SESSION_ENDED,
)
def _(original, session):
    for one in (*session.state.unacknowledged, *session.state.work.acks):
        one.count -= 1
    original(session)


@nearly_right(
    "live-body",
    "a receiver of the same connection gets the text that the sender's message has by then",
    "3.9-1",
    "3.9-2",
)
def _(patch):
    senders = {}

    def remember(sender, message, entry, options):
        senders[id(entry)] = (entry, message)

    def message_of(original, session, delivery):
        message = original(session, delivery)
        _, sent = senders.get(id(delivery.entry), (None, None))
        same_connection = delivery.entry.sender == session.connection.identity
        if same_connection and isinstance(sent, TextMessage) and isinstance(message, ReferenceTextMessage):
            message._restore_body(sent.text)
        return message

    after_send(patch, remember)
    patch.at(fault_points.MESSAGE_MADE, message_of)


# -- bodies and properties -----------------------------------------------------------------------------------------------


def _texts(patch, change):
    sent_body(patch, ReferenceTextMessage, lambda text: text and change(text))


@nearly_right("basic-plane-only", "characters beyond U+FFFF arrive as question marks", "3.11-5", by=_texts)
def _(text):
    return "".join("?" if character > "\uffff" else character for character in text)


@nearly_right("short-texts-only", "a text of more than 65,535 bytes is cut", "3.11-5", by=_texts)
def _(text):
    return text.encode("utf-8", "surrogatepass")[:LONGEST_UTF].decode("utf-8", "ignore")


@nearly_right("unsigned-bytes", "a negative byte property is read as a positive int", "3.5.4-1")
def _(patch):
    column = {**conversions.PROPERTY_TABLE["int"], Byte: lambda box: box.value & 0xFF}
    patch.replace(conversions, "PROPERTY_TABLE", {**conversions.PROPERTY_TABLE, "int": column})


# -- selectors -----------------------------------------------------------------------------------------------------------


@nearly_right("null-cut-short", "AND and OR stop at the first unknown part", "3.8.1.2-6", "3.8.1.2-9")
def _(patch):
    def joined(walker, node):
        decisive = isinstance(node, Or)
        for each in node.conditions:
            value = walker.condition(each)
            if value is None or value is decisive:
                return value
        return not decisive

    walked(and_=joined, or_=joined)(patch)


@nearly_right("floor-division", "negative whole numbers are divided downwards", "3.8.1.1-66")
def _(patch):
    def quotient(dividend, divisor):
        result = operations.COMPUTE["/"](dividend, divisor)
        return type(result)(dividend // divisor) if isinstance(result, int) else NotImplemented

    computed("/", quotient)(patch)


@nearly_right(
    "longs-as-doubles", "selectors compare large whole numbers as double", "3.8.1.1-14", "3.8.1.1-50", "3.8.1.1-54"
)
def _(patch):
    def rounded(value):
        return Wide(int(float(value))) if isinstance(value, int) and abs(value) > 2**53 else value

    def change(values, entry):
        values.update({name: rounded(value) for name, value in values.items()})

    seen(change)(patch)


@nearly_right(
    "selectors-mixed-up",
    "a selector that differs from an earlier one only in case is evaluated as the earlier one",
    "3.8.1.1-32",
    "3.8.1.1-61",
)
def _(patch):
    known = {}

    def compiled(original, text, version):
        key = (text.lower(), version)
        if key not in known:
            known[key] = original(text, version)
        return known[key]

    patch.at(fault_points.SELECTOR_COMPILED, compiled)
