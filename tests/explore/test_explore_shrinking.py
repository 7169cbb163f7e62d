"""Shrinking: a program that shows something becomes the smallest and plainest that still does, within a budget."""

from dataclasses import replace

import pytest

from tck.explore.shrinking import shrink, simpler
from tck.programs.program import Program, Step


def do(call, name=None, **args):
    return Step(call, {key.rstrip("_"): value for key, value in args.items()}, name)


def program(*steps):
    return Program(steps, {"seed": 7})


def having(*wanted):
    """Return a question: does a program hold steps, in this order, each with at least these arguments?"""

    def shows(candidate):
        rest = iter(candidate.steps)
        return all(any(step.do == call and args.items() <= step.args.items() for step in rest) for call, args in wanted)

    return shows


def shrunk(steps, *wanted):
    return shrink(program(*steps), having(*wanted)).steps


def one(step, *wanted):
    """Return what becomes of the last step of a program."""
    return shrunk([step], *wanted)[-1]


LONG = (
    do("queue", "q1"),
    do("topic", "t1"),
    do("connect", "c1", api="classic"),
    do("start", on="c1"),
    do("session", "s1", on="c1", mode="auto"),
    do("producer", "p1", on="s1", to="q1"),
    do("producer", "p2", on="s1", to="t1"),
    do("consumer", "k1", on="s1", of="q1"),
    do("message", "m1", on="s1", kind="text"),
    do("message", "m2", on="s1", kind="text"),
    do("send", on="p1", message="m1", mode=2, priority=6, ttl=0),
    do("send", on="p1", message="m2", mode=1, priority=9, ttl=3),
    do("send", on="p2", message="m2"),
    do("receive", "r1", on="k1"),
    do("look", on="r1"),
    do("close", on="c1"),
)


# -- steps -------------------------------------------------------------------------------------------------------------


def test_what_is_needed_stays_and_all_else_goes():
    found = shrunk(LONG, ("send", {"priority": 6}), ("receive", {}))
    assert [step.name or step.do for step in found] == ["q1", "c1", "s1", "p1", "k1", "m1", "send", "r1"]
    assert found[-2].args == {"on": "p1", "message": "m1", "mode": 2, "priority": 6, "ttl": 0}


def test_a_program_that_shows_it_stays_one_that_shows_it():
    asks = having(("send", {"priority": 6}), ("receive", {}))
    asked = []

    def shows(candidate):
        asked.append(candidate)
        return asks(candidate)

    found = shrink(program(*LONG), shows)
    assert asks(found)
    assert found.about == {"seed": 7}
    made = set()
    for candidate in asked:
        made.clear()
        for step in candidate.steps:
            assert set(step.uses()) <= made, "a candidate uses what no step of it makes"
            made.add(step.name)


def test_no_candidate_is_asked_twice_and_none_is_the_program_itself():
    asked = []

    def shows(candidate):
        asked.append(candidate.text())
        return having(("receive", {}))(candidate)

    whole = program(*LONG)
    shrink(whole, shows)
    assert len(asked) == len(set(asked))
    assert whole.text() not in asked


def test_a_program_of_which_nothing_can_go_stays():
    assert shrink(program(*LONG), lambda candidate: False).steps == LONG


def test_a_program_of_which_all_can_go_is_empty():
    assert shrink(program(*LONG), lambda candidate: True).steps == ()


def test_one_of_several_like_steps_is_left():
    steps = [do("queue", "q1"), *(do("advance", units=1) for _ in range(9))]
    assert shrunk(steps, ("advance", {})) == (steps[-1],)


@pytest.mark.parametrize("at", range(7))
def test_a_step_is_found_wherever_it_is(at):
    steps = [do("advance", units=number) for number in range(7)]
    assert shrunk(steps, ("advance", {"units": at})) == (steps[at],)


@pytest.mark.parametrize("budget", [0, 1, 5])
def test_no_more_candidates_are_asked_than_the_budget_has(budget):
    asked = []

    def shows(candidate):
        asked.append(candidate)
        return False

    assert shrink(program(*LONG), shows, budget).steps == LONG
    assert len(asked) == budget


def test_what_the_budget_reached_is_returned():
    found = shrink(program(*LONG), having(("queue", {})), 1)
    assert found.steps == LONG[:8]


# -- arguments ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "wanted", "left"),
    [
        (do("receive", "r1", on="k1", how="forever", look="headers"), {}, {"on": "k1"}),
        (do("receive", "r1", on="k1", how="forever", look="headers"), {"how": "forever"}, {"on": "k1", "how": "forever"}),
        (do("send", on="p1", message="m1", mode=1, priority=6, ttl=2), {}, {"on": "p1", "message": "m1"}),
        (
            do("send", on="p1", message="m1", mode=1, priority=6, ttl=2),
            {"ttl": 2},
            {"on": "p1", "message": "m1", "mode": 1, "priority": 6, "ttl": 2},
        ),
        (do("send", on="p1", to="q1", message="m1", async_=True), {}, {"on": "p1", "to": "q1", "message": "m1"}),
        (do("advance", units=3, ms=-1), {}, {"units": 3}),
        (
            do("consumer", "k1", on="s1", of="t1", kind="durable", name_="sub", selector="a = 1", no_local=True),
            {},
            {"on": "s1", "of": "t1", "kind": "durable"},
        ),
        (do("connect", "c1", api="simplified", mode="client", client_id="a"), {}, {"api": "classic"}),
        (do("connect", "c1", api="simplified", mode="client"), {"api": "simplified"}, {"api": "simplified"}),
        (do("set", on="p1", what="property", name_="a", type="int", value=1), {}, {"on": "p1", "what": "property", "name": "a", "type": "int", "value": 1}),
(do("write", on="m1", body=["int", 5], spoil=True), {}, {"on": "m1", "body": ["int", 5]}),
        (do("receive_body", on="k1", type="string", how="no_wait"), {}, {"on": "k1", "type": "string"}),
        (do("unsubscribe", on="s1", name_="sub"), {}, {"on": "s1", "name": "sub"}),
    ],
)  # fmt: skip
def test_arguments_that_are_not_needed_go(step, wanted, left):
    assert one(step, (step.do, wanted)).args == left
    assert one(step, (step.do, wanted)).name == step.name


def whole(step):
    """Return whether the body of a step is a value with its type, or a list."""
    body = step.args.get("body", [[]])
    return not isinstance(body[0], str) or len(body) == 2


def keeping(step, *names):
    """Return what becomes of a step of which some arguments may change and not go."""

    def shows(candidate):
        return any(each.do == step.do and set(names) <= each.args.keys() and whole(each) for each in candidate.steps)

    (found,) = shrink(program(step), shows).steps
    return found.args


@pytest.mark.parametrize(
    ("step", "name", "plain"),
    [
        (do("connect", "c1", api="simplified"), "api", "classic"),
        (do("connect", "c1", api="topic"), "api", "classic"),
        (do("session", "s1", on="c1", mode="transacted"), "mode", "auto"),
        (do("session", "s1", on="c1", form="odd"), "form", "both"),
        (do("send", on="p1", mode=1, priority=6, ttl=0), "mode", 1),
        (do("message", "m1", kind="map"), "kind", "text"),
        (do("message", "m1", kind="text", body=["string", "long"]), "body", ["null", None]),
        (do("temporary", "q1", on="s1", kind="topic"), "kind", "topic"),
        (do("consumer", "k1", on="s1", of="t1", kind="shared"), "kind", "shared"),
    ],
)
def test_arguments_that_must_be_there_become_plain(step, name, plain):
    assert keeping(step, name)[name] == plain


@pytest.mark.parametrize("kind", ["text", "object"])
def test_a_text_that_must_be_one_becomes_plain(kind):
    step = do("message", "m1", kind=kind, body=["string", {"of": "x", "times": 300}])

    def shows(candidate):
        return any(each.args.get("body", [""])[0] == "string" and whole(each) for each in candidate.steps)

    (found,) = shrink(program(step), shows).steps
    assert found.args == {"kind": kind, "body": ["string", "x"]}


@pytest.mark.parametrize(
    ("kind", "body", "shapes"),
    [
        ("text", ["null", None], {"string", "null"}),
        ("object", ["list", [["int", 5]]], {"string", "null", "list"}),
    ],
)
def test_the_body_of_a_single_value_becomes_one_of_a_single_value(kind, body, shapes):
    asked = []

    def shows(candidate):
        asked.extend(step.args["body"] for step in candidate.steps if "body" in step.args)
        return False

    shrink(program(do("message", "m1", kind=kind, body=body)), shows)
    assert asked
    assert {each[0] for each in asked} <= shapes


@pytest.mark.parametrize(
    ("kind", "body", "plain"),
    [
        ("map", [["a", "string", "x"], ["b", "int", 2]], [["a", "int", 5]]),
        ("stream", [["string", "x"], ["long", 2]], [["int", 5]]),
        ("bytes", [["string", "x"], ["long", 2]], [["int", 5]]),
    ],
)
def test_the_body_of_several_values_becomes_one_plain_value(kind, body, plain):
    step = do("message", "m1", kind=kind, body=body)

    def shows(candidate):
        return any(each.args.get("body") and each.args["kind"] == kind for each in candidate.steps)

    (found,) = shrink(program(step), shows).steps
    assert found.args == {"kind": kind, "body": plain}


def test_a_message_with_a_body_keeps_its_kind():
    kinds = set()

    def shows(candidate):
        kinds.update(step.args["kind"] for step in candidate.steps if "body" in step.args)
        return False

    shrink(program(do("message", "m1", kind="map", body=[["a", "int", 1]])), shows)
    assert kinds == {"map"}


@pytest.mark.parametrize("needed", range(6))
def test_of_a_list_of_values_the_needed_one_is_left(needed):
    values = [["int", number] for number in range(6)]
    step = do("message", "m1", kind="stream", body=values)

    def shows(candidate):
        return any(values[needed] in each.args.get("body", ()) for each in candidate.steps)

    (found,) = shrink(program(step), shows).steps
    assert found.args["body"] == [values[needed]]


@pytest.mark.parametrize("needed", [0, 31, 63])
def test_a_long_list_is_halved(needed):
    values = [["int", number] for number in range(64)]
    asked = []

    def shows(candidate):
        asked.append(candidate)
        return any(values[needed] in each.args.get("body", ()) for each in candidate.steps)

    (found,) = shrink(program(do("message", "m1", kind="stream", body=values)), shows).steps
    assert found.args["body"] == [values[needed]]
    assert len(asked) < 32


@pytest.mark.parametrize("needed", ["int", "string", "long"])
def test_of_a_list_of_types_the_needed_one_is_left(needed):
    step = do("items", on="m1", types=["int", "string", "long"])

    def shows(candidate):
        return any(needed in each.args.get("types", ()) for each in candidate.steps)

    (found,) = shrink(program(step), shows).steps
    assert found.args == {"on": "m1", "types": [needed]}


def test_of_headers_and_properties_the_needed_ones_are_left():
    properties = [["a", "int", 1], ["b", "int", 2], ["c", "int", 3]]
    step = do("message", "m1", kind="text", headers={"type": "car", "priority": 3}, properties=properties)

    def shows(candidate):
        return any(
            "type" in each.args.get("headers", {}) and properties[1] in each.args.get("properties", ())
            for each in candidate.steps
        )

    (found,) = shrink(program(step), shows).steps
    assert found.args == {"kind": "text", "headers": {"type": "car"}, "properties": [["b", "int", 2]]}


def test_each_step_of_a_program_becomes_plain():
    steps = [do("advance", units=1, ms=1), do("advance", units=2, ms=1), do("advance", units=3, ms=1)]
    found = shrink(program(*steps), lambda candidate: len(candidate.steps) == 3).steps
    assert found == tuple(replace(each, args={"units": each.args["units"]}) for each in steps)


def test_steps_go_that_plainer_arguments_made_needless():
    steps = [do("queue", "q1"), do("message", "m1", kind="text", headers={"reply_to": "q1"})]
    found = shrunk(steps, ("message", {}))
    assert found == (do("message", "m1", kind="text"),)


# -- selectors ---------------------------------------------------------------------------------------------------------


def test_of_several_selectors_the_needed_one_is_left():
    step = do("select", on="s1", of="q1", selectors=["a = 1", "b = 2", "c = 3"])

    def shows(candidate):
        return any("b = 2" in each.args.get("selectors", ()) for each in candidate.steps)

    (found,) = shrink(program(step), shows).steps
    assert found.args["selectors"] == ["b = 2"]


def test_a_selector_becomes_its_part():
    text = "(a = 1 OR NOT (b LIKE 'x AND y' AND c IS NULL)) AND d BETWEEN 1 AND 2"
    step = do("select", on="s1", of="q1", selectors=[text])

    def shows(candidate):
        return any("c IS NULL" in each.args.get("selectors", [""])[0] for each in candidate.steps)

    (found,) = shrink(program(step), shows).steps
    assert found.args["selectors"] == ["c IS NULL"]


@pytest.mark.parametrize(
    ("selector", "parts"),
    [
        ("a = 1", []),
        ("a = 1 AND b = 22", ["a = 1", "b = 22"]),
        ("a = 1 or b = 22", ["a = 1", "b = 22"]),
        ("NOT a = 1", ["a = 1"]),
        ("not a = 1", ["a = 1"]),
        ("NOTE = 1", []),
        ("(a = 1)", ["a = 1"]),
        (" ( a = 1 ) ", ["a = 1"]),
        ("a = 1 AND b = 2 AND c = 3", ["a = 1", "c = 3", "a = 1 AND b = 2", "b = 2 AND c = 3"]),
        ("(a = 1 AND b = 2)", ["a = 1 AND b = 2"]),
        ("(a = 1) OR (b = 2)", ["(a = 1)", "(b = 2)"]),
        ("NOT (a = 1 OR b = 2)", ["(a = 1 OR b = 2)"]),
        ("a = ')' AND b = 1", ["b = 1", "a = ')'"]),
        ("a BETWEEN 1 AND 2", ["2"]),
        ("a BETWEEN 1 AND 2 AND b = 1", ["b = 1", "2 AND b = 1", "a BETWEEN 1 AND 2"]),
    ],
)
def test_the_parts_of_a_selector(selector, parts):
    assert list(simpler(selector)) == parts


# -- candidates that are no programs -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "step",
    [
        do("receive", "r1", on="k1", how="forever"),
        do("send", on="p1", message="m1", mode=2, priority=6, ttl=0),
        do("message", "m1", kind="text", body=["int", 5], properties=[["a", "int", 1]]),
        do("select", on="s1", of="q1", selectors=["a = 1"]),
        do("send_many", on="p1", of="s1", count=2, first=1),
        do("message", "m1", kind="text", body=["string", "text"]),
    ],
    ids=lambda step: step.do,
)
def test_a_candidate_has_all_arguments_that_its_steps_need(step):
    needed = {"select": {"selectors"}, "send_many": {"count", "first"}}.get(step.do, set())
    asked = []

    def shows(candidate):
        asked.extend(candidate.steps)
        return False

    shrink(program(step), shows)
    assert all(needed <= each.args.keys() and whole(each) for each in asked)
