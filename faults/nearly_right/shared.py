"""Helpers of narrow faults of several sections."""

import reference_provider.selector.selector as selector_cache
from faults.kit import *


def from_queue(delivery):
    return isinstance(delivery.source.physical, PhysicalQueue)


def of_durable(delivery):
    return delivery.source.subscription is not None


def sent_at_once(patch, when):
    """Send messages of a branch outside of it, where `when` is true."""

    def submit(original, session, physical, entry):
        if (
            isinstance(session, ReferenceXASession)
            and session.resource._branch is not None
            and when(session, physical, entry)
        ):
            work = Work(session.broker)
            work.sends.append((physical, entry))
            work.perform()
        else:
            original(session, physical, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)


def all_of(*conditions):
    return lambda send: all(condition(send) for condition in conditions)


def sent_persistent(entry):
    return entry.delivery_mode == DeliveryMode.PERSISTENT


def on_receipt(patch, change):
    original = ReferenceMessage.restore

    def restore(self, snapshot, delivery, model):
        original(self, snapshot, delivery, model)
        change(self, delivery)

    patch.replace(ReferenceMessage, "restore", restore)


class Notes:
    """Values by object identity; it keeps the objects alive, so that no identity is used twice."""

    def __init__(self):
        self._kept = {}

    def put(self, about, value):
        """Note a value of an object."""
        self._kept[id(about)] = (about, value)

    def get(self, about):
        """Return the value of an object, None if there is none."""
        found = self._kept.get(id(about))
        return None if found is None else found[1]

    def __contains__(self, about):
        return id(about) in self._kept


class Senders:
    """Which producer sent what in a transaction; keeps the entries alive, so that no identity is used twice."""

    def __init__(self, patch):
        self._found = {}
        patch.at(fault_points.SEND_PREPARED, self._prepare)

    def _prepare(self, original, producer, *arguments):
        physical, entry = original(producer, *arguments)
        if producer.session.state.mode == Session.SESSION_TRANSACTED:
            self._found[id(entry)] = entry, producer
        return physical, entry

    def of(self, entry):
        """Return the producer that sent an entry."""
        found = self._found.get(id(entry))
        return None if found is None else found[1]


def uncached(patch):
    """Compile each selector anew: the cache may hold ones that the sound compiler made."""
    patch.replace(selector_cache, "_cached", selector_cache._compiled)


def text_rewritten(patch, rewrite):
    original = Broker.predicate

    def predicate(self, selector, version):
        return original(self, rewrite(selector) if selector else selector, version)

    patch.replace(Broker, "predicate", predicate)


def seen_by_selectors(patch, change):
    original = stored_message.selection  # imported there

    def selection(*arguments, **keywords):
        view = original(*arguments, **keywords)
        changed = {name: change(name, value) for name, value in view.items()}
        return {name: value for name, value in changed.items() if value is not None}

    patch.replace(stored_message, "selection", selection)


def is_received(message):
    """Return whether a message is as a consumer got it, its properties not cleared."""
    return isinstance(message, ReferenceMessage) and not message._properties_writable


def read_from_the_file(patch, change):
    """Change each message that is read from the file: those of before a restart."""
    original = Broker.load_numbers

    def load_numbers(self, numbers):
        entries = original(self, numbers)
        for entry in entries:
            change(self, entry)
        return entries

    patch.replace(Broker, "load_numbers", load_numbers)


def rewriting(patch, rewrite):
    """Let selectors mean what `rewrite` makes of their tree; it gets the text too."""

    def compile_selector(original, text, version="3.1"):
        sound = original(text, version)
        if sound is None or version == "1.0":
            return sound
        tree = rewrite(sound.text, sound.tree)
        return sound if tree == sound.tree else Selector(sound.text, tree, sound.names, compiler.matcher(tree))

    patch.at(fault_points.SELECTOR_COMPILED, compile_selector)


def enumerated(patch, change):
    """Change what each enumeration of a browser goes through."""
    original = ReferenceBrowser.get_enumeration

    def get_enumeration(self):
        made = original(self)
        return BrowsedMessages(self, change(self, list(made._seen)))

    patch.replace(ReferenceBrowser, "get_enumeration", get_enumeration)


def is_shared_durable(delivery):
    consumer = delivery.consumer
    subscription = consumer.receiver.subscription if isinstance(consumer, ReferenceConsumer) else None
    return subscription is not None and subscription.shared and subscription.durable


def has_closed_consumer(delivery):
    return isinstance(delivery.consumer, ReferenceConsumer) and delivery.consumer.closed


def tree_rewritten(node, change):
    match node:
        case Not():
            return change(Not(tree_rewritten(node.condition, change)))
        case And():
            return change(And(tuple(tree_rewritten(each, change) for each in node.conditions)))
        case Or():
            return change(Or(tuple(tree_rewritten(each, change) for each in node.conditions)))
        case _:
            return change(node)


def trees_rewritten(patch, change):
    """Let selectors mean what `change` makes of each condition of their tree."""
    rewriting(patch, lambda text, tree: tree_rewritten(tree, change))


def kept_paused(patch, paused):
    original = ReferenceSession.may_deliver

    def may_deliver(self):
        return self not in paused and original(self)

    patch.replace(ReferenceSession, "may_deliver", may_deliver)
