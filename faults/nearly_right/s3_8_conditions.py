"""Narrow faults of conditions of selectors (3.8.1.1, 3.8.1.2)."""

import dataclasses
import re
from dataclasses import replace

from faults.kit import *
from faults.nearly_right.shared import *
from reference_provider.selector.compiler import _Compiler
from reference_provider.selector.selector import _compiled


@of_round(3)(
    "between-swaps-reversed-bounds", "BETWEEN whose lower literal is the greater one swaps the two", "3.8.1.1-70"
)
def _(patch):
    def in_order(original, self, node, wanted):
        if isinstance(node, Between) and isinstance(node.low, NumberLiteral) and isinstance(node.high, NumberLiteral):
            node = Between(node.operand, *sorted((node.low, node.high), key=lambda literal: literal.value))
        return original(self, node, wanted)

    patch.around(_Compiler, "_range", in_order)
    uncached(patch)


@of_round(7)(
    "between-puts-its-bounds-in-order",
    "BETWEEN with the larger bound first selects what lies between the two, where it should select nothing",
    "3.8.1.1-70 3.8.1.1-71",
    by=trees_rewritten,
)
def _(node):
    if isinstance(node, (Between, Outside)):
        low, high = node.low, node.high
        if isinstance(low, NumberLiteral) and isinstance(high, NumberLiteral) and low.value > high.value:
            return replace(node, low=high, high=low)
    return node


@nearly_right("like-with-classes", "brackets in a LIKE pattern are a class of characters", "3.8.1.1-84")
def _(patch):
    def match(pattern, text):
        head, inside, tail = re.fullmatch(r"(.*?)\[([^\[\]]+)\](.*)", pattern, re.DOTALL).groups()
        return any(is_like(head + sign + tail, text) for sign in inside)

    liked(lambda node: re.search(r"\[[^\[\]]{2,}\]", node.pattern), match)(patch)


@of_round(3)("like-reads-a-bar-as-or", "in a LIKE pattern with _ a vertical bar means 'or'", "3.8.1.1-84")
def _(patch):
    # LIKE by regular expression with a list of characters to be escaped: ARTEMIS-356, AMQ-6137 (special characters).
    patch.around(literals, "_regex", lambda original, signs: original(signs).replace("\\|", "|"))
    uncached(patch)


@of_round(5)(
    "like-with-underscore-knows-character-classes",
    "in a LIKE pattern that has an underscore, square brackets stand for one of the characters between them",
    "3.8.1.1-84",
)
def _(patch):
    def regex(original, signs):
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

    patch.around(literals, "_regex", regex)
    patch.at(fault_points.SELECTOR_COMPILED, compile_selector)


# RabbitMQ, rabbitmq-jms-topic-exchange #18: the evaluator took LIKE without its escape character.
@of_round(2)(
    "not-like-ignores-escape", "NOT LIKE takes no notice of its ESCAPE clause; LIKE does", "3.8.1.1-89 3.8.1.1-88"
)
def _(patch):
    def text_test(original, self, node, wanted):
        if isinstance(node, Like) and not wanted and node.escape is not None:
            node = dataclasses.replace(node, escape=None)
        return original(self, node, wanted)

    uncached(patch)
    patch.around(compiler._Compiler, "_text_test", text_test)


@of_round(7)(
    "one-escape-makes-all-wildcards-plain",
    "in a LIKE pattern an escaped wildcard makes later ones of the same kind plain too",
    "3.8.1.1-89 3.8.1.1-83 3.8.1.1-82",
    by=trees_rewritten,
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


# Oracle AQ: the database stores '' as NULL.
@of_round(2)(
    "empty-property-is-null-in-selectors",
    "IS NULL is true for a property that is the empty String",
    "3.8.1.1-95 3.8.1.1-98",
)
def _(patch):
    def simple_test(original, node, wanted):
        if isinstance(node, IsNull):
            return f"view.get({node.identifier.name!r}) {'' if wanted else 'not '}in (None, '')"
        return original(node, wanted)

    uncached(patch)
    patch.around(compiler, "_simple_test", simple_test)


@of_round(3)(
    "empty-string-is-null-in-selectors", "for selectors a property that is an empty String is NULL", "3.8.1.1-98"
)
def _(patch):
    # Oracle's databases take '' for NULL, and message properties in their queues with it.
    seen_by_selectors(patch, lambda _, value: None if type(value) is str and not value else value)


# Artemis, ARTEMIS-568: the grammar did not demand the end of the text.
of_round(2)(
    "selector-ends-at-semicolon",
    "what follows a semicolon in a selector is not read",
    "3.8.1.1-104 3.8.1.1-99",
    install=lambda patch: text_rewritten(patch, lambda text: re.match(r"(?:[^';]|'[^']*'|')*", text)[0] or text),
)


@of_round(5)(
    "selector-ends-at-its-closing-bracket",
    "what follows a complete condition in brackets is ignored, although the selector as a whole is no expression",
    "3.8.1.1-104 3.8.1.1-99",
)
def _(patch):
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


@nearly_right("null-cut-short", "AND and OR stop at the first unknown part", "3.8.1.2-6 3.8.1.2-9")
def _(patch):
    def joined(walker, node):
        decisive = isinstance(node, Or)
        for each in node.conditions:
            value = walker.condition(each)
            if value is None or value is decisive:
                return value
        return not decisive

    walked(and_=joined, or_=joined)(patch)


@of_round(5)(
    "negated-alternatives-know-no-null",
    "within NOT (... OR ...) a comparison by = with a missing property is false, not unknown",
    "3.8.1.2-10 3.8.1.1-58 3.8.1.1-53",
)
def _(patch):
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

    rewriting(patch, lambda _, tree: rewrite(tree))
