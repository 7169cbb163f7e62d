"""Red round 7, second part: faults in selectors, browsers and the two domains, written without sight of the suite."""

from dataclasses import replace
from typing import cast

from faults.kit import *
from reference_provider.selector.nodes import names


def _rewritten(node, change):
    match node:
        case Not():
            return change(Not(_rewritten(node.condition, change)))
        case And():
            return change(And(tuple(_rewritten(each, change) for each in node.conditions)))
        case Or():
            return change(Or(tuple(_rewritten(each, change) for each in node.conditions)))
        case _:
            return change(node)


def _selectors(patch, change):
    def compile_selector(original, text, version="3.1"):
        from reference_provider.selector import compiler, walker  # as the provider: only if needed

        made = original(text, version)
        if made is None:
            return None
        tree = _rewritten(made.tree, change)
        matches = walker.walking_in_1_0(tree) if version == "1.0" else compiler.matcher(tree)
        return Selector(made.text, tree, names(tree), matches)

    patch.at(fault_points.SELECTOR_COMPILED, compile_selector)


@of_round(7)(
    "subscriptions-select-without-group-properties",
    "the selector of a subscription takes JMSX properties, such as JMSXGroupID, for absent; those of queues see them",
    "3.8.1.1-42",
    "3.5.9-17",
    "4.2.2-4",
    at=fault_points.SUBSCRIPTION_MATCHED,
)
def _(original, subscription, entry):
    matches = subscription.matches
    if not isinstance(matches, SelectorPredicate):
        return original(subscription, entry)
    view = {name: value for name, value in entry.selection().items() if not name.startswith("JMSX")}
    return subscription.is_foreign(entry) and matches.selector.matches(view)


@of_round(7)(
    "quotes-in-lists-stay-doubled",
    "in the list of an IN condition a doubled quote is not read as one, as it is in other string literals",
    "3.8.1.1-11",
    "3.8.1.1-75",
    by=_selectors,
)
def _(node):
    if isinstance(node, In):
        return replace(node, texts=tuple(text.replace("'", "''") for text in node.texts))
    return node


@of_round(7)(
    "between-puts-its-bounds-in-order",
    "BETWEEN with the larger bound first selects what lies between the two, where it should select nothing",
    "3.8.1.1-70",
    "3.8.1.1-71",
    by=_selectors,
)
def _(node):
    if isinstance(node, (Between, Outside)):
        low, high = node.low, node.high
        if isinstance(low, NumberLiteral) and isinstance(high, NumberLiteral) and low.value > high.value:
            return replace(node, low=high, high=low)
    return node


@of_round(7)(
    "one-escape-makes-all-wildcards-plain",
    "in a LIKE pattern an escaped wildcard makes later ones of the same kind plain too",
    "3.8.1.1-89",
    "3.8.1.1-83",
    "3.8.1.1-82",
    by=_selectors,
)
def _(node):
    if not isinstance(node, Like) or node.escape is None:
        return node
    escape, plain, pattern = node.escape, set[str](), ""
    characters = iter(node.pattern)
    for character in characters:
        if character == escape:
            escaped = next(characters, "")
            plain.add(escaped)
            pattern += escape + escaped
        else:
            pattern += escape + character if character in plain else character
    return replace(node, pattern=pattern)


@of_round(7)(
    "shared-subscription-names-ignore-case",
    "shared non-durable subscriptions whose names differ only in case are one subscription",
    "4.2.2-16",
    "4.2.4-8",
    "8.3.2-2",
)
def _case(patch):
    find, add = Subscriptions.shared, Subscriptions.add_shared

    def shared(self, key):
        return find(self, (key[0], key[1].lower()))

    def add_shared(self, key, *others):
        return add(self, (key[0], key[1].lower()), *others)

    patch.replace(Subscriptions, "shared", shared)
    patch.replace(Subscriptions, "add_shared", add_shared)


def _enumerations(patch, change):
    original = ReferenceBrowser.get_enumeration

    def get_enumeration(self):
        shown = cast("BrowsedMessages", original(self))
        return BrowsedMessages(self, change(self, list(shown._seen)))

    patch.replace(ReferenceBrowser, "get_enumeration", get_enumeration)


@of_round(7)(
    "selecting-browser-forgets-priorities",
    "a browser with a selector shows messages in the order of their arrival, whatever their priority",
    "4.1.6-6",
    by=_enumerations,
)
def _(browser, seen):
    return seen if browser.message_selector is None else sorted(seen, key=lambda one: one.entry.number)


@of_round(7)(
    "browser-remembers-what-is-gone",
    "a further enumeration of the same browser still shows the messages that were consumed since the first",
    "4.1.6-10",
    "4.1.6-4",
)
def _browser_memory(patch):
    shown = {}

    def change(browser, seen):
        _, known = shown.setdefault(id(browser), (browser, {}))
        known.update({one.entry.number: one for one in seen})
        return list(known.values())

    _enumerations(patch, change)


@of_round(7)(
    "temporary-queue-ends-with-its-last-consumer",
    "a temporary queue is deleted when the last consumer on it is closed, although its connection is open",
    "4.1.5-3",
    "4.1.5-8",
    "6.2.2-2",
    "4.1.5-6",
    "6.2.2-1",
    at=fault_points.CONSUMER_CLOSED,
)
def _(original, consumer):
    original(consumer)
    physical, connection = consumer.receiver.physical, consumer.session.connection
    if isinstance(physical, PhysicalQueue) and physical.temporary and not physical.consumers:
        connection.temporaries._physical.pop(physical.destination, None)
        connection.broker.remove_physical_destination(physical)


@of_round(7)(
    "requestor-leaves-a-reply-to-alone",
    "a QueueRequestor sets JMSReplyTo only if the request has none yet, so it waits in vain with one that has",
    "4.1.7-2",
    "4.1.7-1",
)
def _requestor(patch):
    original = ReferenceQueueRequestor.request

    def request(self, message):
        if message.jms_reply_to is None:
            return original(self, message)
        self._sender.send(message)
        return answered(self._receiver.receive())

    patch.replace(ReferenceQueueRequestor, "request", request)


@of_round(7)(
    "queue-sessions-make-no-sender-for-a-reply",
    "createSender of a QueueSession refuses the temporary queue of another connection; a sender without queue takes it",
    "4.1.5-7",
    "2.16-3",
    "2.5-2",
)
def _no_sender(patch):
    original = ReferenceQueueSession.create_sender

    def create_sender(self, queue):
        if isinstance(queue, TemporaryQueue):
            with self.broker.lock:
                self.connection.temporaries.check_consumable(self.broker.physical_destination(queue))
        return original(self, queue)

    patch.replace(ReferenceQueueSession, "create_sender", create_sender)
