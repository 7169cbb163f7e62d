"""Red round 5, second group: faults in selectors and architecture, written without sight of the suite."""

import re

from faults.kit import *
from reference_provider.selector.selector import _compiled

# --- selectors --------------------------------------------------------------------------------------------------------


def _rewriting(patch, rewrite):
    """Let selectors mean what `rewrite` makes of their tree; it gets the text too."""

    def compile_selector(original, text, version="3.1"):
        sound = original(text, version)
        if sound is None or version == "1.0":
            return sound
        tree = rewrite(sound.text, sound.tree)
        return sound if tree == sound.tree else Selector(sound.text, tree, sound.names, compiler.matcher(tree))

    patch.at(fault_points.SELECTOR_COMPILED, compile_selector)


@of_round(5)(
    "negated-alternatives-know-no-null",
    "within NOT (... OR ...) a comparison by = with a missing property is false, not unknown",
    "3.8.1.2-10",
    "3.8.1.1-58",
    "3.8.1.1-53",
)
def _no_null(patch):
    def certain(node):
        match node:
            case Or():
                return Or(tuple(certain(each) for each in node.conditions))
            case Comparison(left=Identifier() as name, operator="="):
                return And((Not(IsNull(name)), node))
            case _:
                return node

    def rewrite(node):
        match node:
            case Not(condition=Or()):
                return Not(certain(node.condition))
            case And():
                return And(tuple(rewrite(each) for each in node.conditions))
            case Or():
                return Or(tuple(rewrite(each) for each in node.conditions))
            case _:
                return node

    _rewriting(patch, lambda _, tree: rewrite(tree))


@of_round(5)(
    "like-with-underscore-knows-character-classes",
    "in a LIKE pattern that has an underscore, square brackets stand for one of the characters between them",
    "3.8.1.1-84",
)
def _character_classes(patch):
    original = literals._regex

    def regex(signs):
        sound = original(signs)
        if literals.ONE not in signs:
            return sound
        broken = sound.replace(r"\[", "[").replace(r"\]", "]")
        try:
            re.compile(broken)
        except (re.error, FutureWarning):
            return sound
        return broken

    def compile_selector(sound, text, version="3.1"):
        # Compiled without the cache, in which the sound provider would find it.
        return _compiled(text, version == "1.0") if text else None

    patch.replace(literals, "_regex", regex)
    patch.at(fault_points.SELECTOR_COMPILED, compile_selector)


@of_round(5)(
    "selector-ends-at-its-closing-bracket",
    "what follows a complete condition in brackets is ignored, although the selector as a whole is no expression",
    "3.8.1.1-104",
    "3.8.1.1-99",
)
def _rest_ignored(patch):
    bracketed = re.compile(r"\s*\((?:[^()']|'[^']*')*\)")

    def compile_selector(original, text, version="3.1"):
        try:
            return original(text, version)
        except InvalidSelectorException:
            found = bracketed.match(text or "")
            if found is None:
                raise
            return original(found.group(), version)

    patch.at(fault_points.SELECTOR_COMPILED, compile_selector)


@of_round(5)(
    "not-before-like-takes-in-what-follows",
    "NOT before a LIKE condition without brackets negates all conditions that AND joins to it on the right",
    "3.8.1.1-48",
)
def _greedy_not(patch):
    greedy = re.compile(r"(?<!\()\bnot\s+[^\W\d][\w$]*\s+like\b", re.IGNORECASE)

    def rewrite(text, tree):
        if isinstance(tree, And) and greedy.search(text):
            for position, node in enumerate(tree.conditions[:-1]):
                if isinstance(node, Not) and isinstance(node.condition, Like):
                    negated = Not(And((node.condition, *tree.conditions[position + 1 :])))
                    return And((*tree.conditions[:position], negated)) if position else negated
        return tree

    _rewriting(patch, rewrite)


# --- architecture -----------------------------------------------------------------------------------------------------


@of_round(5)(
    "producer-knows-destinations-by-name-only",
    "a JMSProducer that has sent to a queue sends there again when it is given the topic of the same name, or the reverse",
    "2.8.2-1",
)
def _by_name(patch):
    known = {}
    original = ReferenceJMSProducer.send

    def send(self, destination, body, *, body_type=OMITTED):
        if isinstance(destination, ReferenceDestination):
            _, destination = known.setdefault((id(self), destination.name), (self, destination))
        return original(self, destination, body, body_type=body_type)

    patch.replace(ReferenceJMSProducer, "send", send)


@of_round(5)(
    "context-of-a-context-does-not-start",
    "a consumer of a context that was made from another context does not start the connection",
    "2.12.1-3",
)
def _not_started(patch):
    made = []
    create = ReferenceContext.create_context
    start = ReferenceContext._start_if_wanted

    def create_context(self, session_mode):
        context = create(self, session_mode)
        made.append(context)
        return context

    def start_if_wanted(self):
        if not any(self is each for each in made):
            start(self)

    patch.replace(ReferenceContext, "create_context", create_context)
    patch.replace(ReferenceContext, "_start_if_wanted", start_if_wanted)


@of_round(5)(
    "closed-connection-acknowledges-durable-subscribers",
    "a connection that is closed with a TopicSession open acknowledges what its durable subscribers have received",
    "2.9-9",
    "4.2.8-3",
    at=fault_points.CONNECTION_CLOSED,
)
def _(original, connection):
    for session in list(connection.sessions):
        if isinstance(session, TopicSession) and session.mode == Session.CLIENT_ACKNOWLEDGE:
            state = session.state
            durable = [one for one in state.unacknowledged if one.source.subscription is not None]
            state.unacknowledged = [one for one in state.unacknowledged if one not in durable]
            state.acknowledge(durable, durable=True)
    original(connection)


@of_round(5)(
    "commit-over-both-domains-forgets-subscribers",
    "what a transaction publishes does not reach non-durable subscribers if it has also taken a message from a queue",
    "2.4-2",
    "4.2.2-2",
)
def _both_domains(patch):
    marked = Marked()

    def fault(session):
        work = session.state.work
        if any(isinstance(one.source.physical, PhysicalQueue) for one in work.acks):
            for physical, entry in work.sends:
                if isinstance(physical, PhysicalTopic):
                    marked.add(entry)

    def route(original, broker, physical, entry):
        found = original(broker, physical, entry)
        return [one for one in found if one.subscription is not None] if entry in marked else found

    before_commit(patch, fault)
    patch.at(fault_points.ROUTED, route)
