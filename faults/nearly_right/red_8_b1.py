"""Red round 8, first part: faults in messages, selectors and domains, written without sight of the suite."""

import re

from faults.kit import *

_NOT_GLUED = re.compile(r"'(?:[^']|'')*'|(?<![\w$])(not)(?=[a-z])", re.IGNORECASE)


@of_round(8)(
    "selector-splits-identifiers-after-not",
    "in a selector an identifier that begins with NOT, such as note or NOTICE, is read as NOT and an identifier",
    "3.8.1.1-25",
    "3.8.1-2",
)
def _split_identifiers(patch):
    def split(found):
        return f"{found[1]} " if found[1] else found[0]

    def compile_selector(original, text, *others):
        return original(text and _NOT_GLUED.sub(split, text), *others)

    patch.at(fault_points.SELECTOR_COMPILED, compile_selector)


@of_round(8)(
    "selector-takes-timestamp-zero-for-absent",
    "for a selector JMSTimestamp is NULL, not 0, if the producer has disabled timestamps",
    "3.8.1.1-37",
    "3.8.1-2",
    at=fault_points.VALUES_SELECTED,
)
def _(original, entry):
    view = original(entry)
    return view if entry.timestamp else {name: value for name, value in view.items() if name != "JMSTimestamp"}


@of_round(8)(
    "foreign-stream-ends-at-its-first-null",
    "of a stream message of another provider what follows the first null item is lost",
    "3.12-2",
    "3.12-10",
)
def _foreign_stream(patch):
    def foreign_items(message):
        message.reset()
        items = []
        try:
            while (item := message.read_object()) is not None:
                items.append(values.body_object(item))
            items.append(None)
        except MessageEOFException:
            pass
        message.reset()
        return tuple(items)

    patch.replace(snapshots, "foreign_items", foreign_items)


@of_round(8)(
    "rewritten-text-is-sent-on-as-received",
    "a received text message that got another text after clearBody is sent on with the text it came with",
    "3.11.2-6",
    "3.10-2",
    "3.11.4-3",
)
def _rewritten_text(patch):
    restore, freeze = ReferenceTextMessage._restore_body, ReferenceTextMessage._frozen_body
    received = {}  # by identity; the messages are kept, so that none is used twice

    def restore_body(self, body):
        restore(self, body)
        if body is not None:
            received[id(self)] = self, body

    def frozen_body(self):
        text = freeze(self)
        return text if text is None or id(self) not in received else received[id(self)][1]

    patch.replace(ReferenceTextMessage, "_restore_body", restore_body)
    patch.replace(ReferenceTextMessage, "_frozen_body", frozen_body)


@of_round(8)(
    "queue-drops-what-no-open-selector-chooses",
    "a NON_PERSISTENT message that no selector of the open consumers of its queue chooses is dropped",
    "4.1.2-6",
    "4.1.2-7",
)
def _unchosen_dropped(patch):
    opened = []

    def open_receiver(original, *arguments):
        receiver = original(*arguments)
        opened.append(receiver)
        return receiver

    def offer(original, broker, delivery_queue, entry):
        if entry.delivery_mode == DeliveryMode.NON_PERSISTENT and isinstance(delivery_queue.physical, PhysicalQueue):
            opened[:] = [one for one in opened if not one.closed]
            consumers = [one for one in opened if one.delivery_queue is delivery_queue]
            if consumers and all(one.matches is not None and not one.matches(entry) for one in consumers):
                return
        original(broker, delivery_queue, entry)

    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)
    patch.at(fault_points.OFFERED, offer)


@of_round(8)(
    "temporary-queue-with-messages-cannot-be-deleted",
    "delete of a temporary queue that nobody consumes from is refused while a message is in it",
    "4.1.5-8",
    "6.2.2-10",
    at=fault_points.TEMPORARY_DELETED,
)
def _(original, temporaries, destination):
    with temporaries.broker.lock:
        physical = temporaries.broker.find_physical_destination(destination)
        full = isinstance(physical, PhysicalQueue) and len(physical.delivery_queue) > 0
    if full:
        raise JMSException(f"{destination} is not empty", "NOT_EMPTY")
    original(temporaries, destination)
