"""Generated selectors: compiled form against tree walker, text against tree, table against asking each."""

import functools

from hypothesis import example, given, settings
from hypothesis import strategies as st

from reference_provider.java.numbers import float_text, to_float
from reference_provider.selector import compile_selector
from reference_provider.selector.compiler import compile_tree
from reference_provider.selector.nodes import (
    And,
    Arithmetic,
    Between,
    Comparison,
    Constant,
    Flag,
    Identifier,
    In,
    IsNull,
    Like,
    Not,
    NumberLiteral,
    Or,
    Outside,
    Signed,
    TextLiteral,
    TruthLiteral,
)
from reference_provider.selector.table import SelectorTable, demands
from reference_provider.selector.values import FALSE, TRUE, Single, Wide
from reference_provider.selector.walker import evaluate

NAMES = ["a", "b", "c", "$d", "é", "JMSPriority", "JMSTimestamp", "JMSType"]
EDGES = [
    0,
    1,
    -1,
    2,
    7,
    127,
    1023,
    1024,
    32767,
    46341,
    2**24,
    2**24 + 1,
    2**31 - 1,
    -(2**31),
    2**53,
    2**53 + 1,
    2**63 - 1,
    -(2**63),
]

texts = st.sampled_from(["", "a", "A", "ab", "a%", "_", "a\nb", "'", "{0}", "\\", "2"]) | st.text(max_size=3)
longs = st.sampled_from(EDGES) | st.integers(-(2**63), 2**63 - 1) | st.integers(-50, 50)
ints = st.sampled_from([each for each in EDGES if -(2**31) <= each < 2**31]) | st.integers(-50, 50)
doubles = st.floats() | st.sampled_from([0.0, -0.0, 0.5, 2.0, 0.1, 3.5, 2.0**24 + 1, 2.0**53])
singles = st.floats(width=32) | st.sampled_from([0.5, to_float(0.1), 2.0**24])
values = texts | longs.map(Wide) | ints | doubles | singles.map(Single) | st.sampled_from([TRUE, FALSE])
views = st.dictionaries(st.sampled_from(NAMES), values)

identifiers = st.sampled_from(NAMES).map(Identifier)
finite = st.floats(allow_nan=False, allow_infinity=False)
numbers = (
    longs.map(Wide) | finite.map(float) | st.floats(width=32, allow_nan=False, allow_infinity=False).map(Single)
).map(NumberLiteral)


def chains(signs, inner):
    rest = st.lists(st.tuples(st.sampled_from(signs), inner), min_size=1, max_size=3)
    return st.builds(Arithmetic, inner, rest.map(tuple))


operands = st.recursive(
    identifiers | numbers,
    lambda inner: (
        st.builds(Signed, st.sampled_from(["+", "-"]), inner)
        | st.sampled_from(["+-", "*/"]).flatmap(lambda signs: chains(signs, inner))
    ),
    max_leaves=6,
)
equatable = [operands, identifiers | texts.map(TextLiteral), identifiers | st.booleans().map(TruthLiteral)]
"""Operands by type: = and <> join those that may be alike."""
patterns = st.text(alphabet="ab%_\n!'", max_size=6)
leaves = (
    st.one_of([st.builds(Comparison, alike, st.sampled_from(["=", "<>"]), alike) for alike in equatable])
    | st.builds(Comparison, operands, st.sampled_from(["<", ">", "<=", ">="]), operands)
    | st.builds(Between, operands, operands, operands)
    | st.builds(Outside, operands, operands, operands)
    | st.builds(Like, identifiers, patterns, st.none() | st.sampled_from(["\\", "x"]))
    | st.builds(In, identifiers, st.lists(texts, min_size=1, max_size=3).map(tuple))
    | st.builds(IsNull, identifiers)
    | st.builds(Constant, st.booleans())
    | st.builds(Flag, st.sampled_from(NAMES))
)
conditions = st.recursive(
    leaves,
    lambda inner: (
        st.builds(Not, inner)
        | st.builds(And, st.lists(inner, min_size=2, max_size=4).map(tuple))
        | st.builds(Or, st.lists(inner, min_size=2, max_size=4).map(tuple))
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(conditions, st.lists(views, min_size=1, max_size=6))
@example(
    Comparison(Arithmetic(Identifier("a"), (("/", Identifier("b")),)), "=", NumberLiteral(Wide(0))), [{"a": 1, "b": 0}]
)
def test_compiled_form_agrees_with_the_walker(tree, seen):
    compiled, negated = compile_tree(tree), compile_tree(Not(tree))
    for view in seen:
        walked = evaluate(tree, view)
        assert compiled(view) is (walked is True)
        assert negated(view) is (walked is False)


@settings(max_examples=120, deadline=None)
@given(
    operands,
    st.sampled_from(["=", "<>", "<", "<="]),
    operands,
    st.dictionaries(st.sampled_from(NAMES), ints | doubles, min_size=5),
)
def test_arithmetic_agrees_with_the_walker(left, operator, right, view):
    tree = Comparison(left, operator, right)
    assert compile_tree(tree)(view) is (evaluate(tree, view) is True)
    assert compile_tree(Not(tree))(view) is (evaluate(tree, view) is False)


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def number_text(value):
    if type(value) is Single:
        return float_text(value) + "f"
    return repr(value + 0) if isinstance(value, float) else str(value)


@functools.singledispatch
def written(node):
    raise TypeError(node)


written.register(Identifier, lambda node: node.name)
written.register(Flag, lambda node: node.name)
written.register(TextLiteral, lambda node: quoted(node.value))
written.register(NumberLiteral, lambda node: number_text(node.value))
written.register(TruthLiteral, lambda node: str(node.value))
written.register(Constant, lambda node: str(node.value))
written.register(Signed, lambda node: f"({node.sign} ({written(node.operand)}))")
written.register(
    Arithmetic,
    lambda node: "(" + written(node.first) + "".join(f" {sign} {written(each)}" for sign, each in node.rest) + ")",
)
written.register(Comparison, lambda node: f"({written(node.left)} {node.operator} {written(node.right)})")
written.register(Between, lambda node: f"{written(node.operand)} BETWEEN {written(node.low)} AND {written(node.high)}")
written.register(
    Outside, lambda node: f"{written(node.operand)} NOT BETWEEN {written(node.low)} AND {written(node.high)}"
)
written.register(
    Like,
    lambda node: (
        f"{node.identifier.name} LIKE {quoted(node.pattern)}"
        + (f" ESCAPE {quoted(node.escape)}" if node.escape else "")
    ),
)
written.register(In, lambda node: f"{node.identifier.name} IN ({', '.join(map(quoted, node.texts))})")
written.register(IsNull, lambda node: f"{node.identifier.name} IS NULL")
written.register(Not, lambda node: f"NOT ({written(node.condition)})")
written.register(And, lambda node: " AND ".join(f"({written(each)})" for each in node.conditions))
written.register(Or, lambda node: " OR ".join(f"({written(each)})" for each in node.conditions))


@settings(max_examples=150, deadline=None)
@given(conditions)
def test_text_gives_back_the_tree(tree):
    assert compile_selector(written(tree)).tree == tree


tabled = st.sampled_from(
    [
        None,
        *[f"customer = 'c{number}'" for number in range(5)],
        *[f"customer = 'c{number}' AND size > {number}" for number in range(5)],
        "size = 5",
        "size = 5.0 AND TRUE",
        "region IN ('north', 'east', 'north')",
        "region IN ('north') AND customer = 'c1'",
        "customer <> 'c1'",
        "customer = 'c1' OR size = 2",
        "NOT (customer = 'c1')",
        "'c2' = customer",
        "flag",
    ]
)
seen_by_table = st.fixed_dictionaries(
    {},
    optional={
        "customer": st.sampled_from(["c0", "c1", "c2", "c9"]) | st.just(5),
        "size": st.sampled_from([1, 2, Wide(5), 5.0, Single(5.0), "5"]),
        "region": st.sampled_from(["north", "south"]),
        "flag": st.sampled_from([TRUE, FALSE, 1]),
    },
)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 12), tabled, st.booleans()), max_size=40), st.lists(seen_by_table, max_size=5))
def test_table_finds_what_asking_each_finds(steps, seen):
    table, plain = SelectorTable(), {}
    for key, text, keep in steps:
        if keep:
            table.add(key, compile_selector(text))
            plain[key] = compile_selector(text)
        else:
            table.discard(key)
            plain.pop(key, None)
    assert len(table) == len(plain)
    for view in seen:
        found = table.matching(view)
        assert len(found) == len(set(found))
        assert set(found) == {key for key, each in plain.items() if each is None or each.matches(view)}
    for key in list(plain):
        table.discard(key)
    assert [table._filed, table._groups, table._others, table._unselective] == [{}, {}, [], {}]


def test_table_files_selectors_where_few_others_are():
    table = SelectorTable()
    for number in range(100):
        table.add(number, compile_selector(f"JMSType = 'order' AND customer = 'c{number}'"))
    assert max(len(groups) for groups in table._filed["customer"].values()) == 1
    assert [demand.name for demand in demands(compile_selector("a = 'x' AND (b = 'y' OR c = 'z')").tree)] == ["a"]
