"""The table of operations: the schema of files knows the same names, and what an operation says about itself holds."""

import ast
import inspect
import json
from pathlib import Path

import pytest
from programs_support import do

from tck.programs import program
from tck.programs.comparing.comparison import FAILURES
from tck.programs.observing.environment import Environment
from tck.programs.operations import OPERATIONS, Compared
from tck.programs.program import REFERENCES, Program

SCHEMA = json.loads(Path(program.__file__).with_name("program.schema.json").read_text(encoding="utf-8"))
STEP = SCHEMA["$defs"]["step"]
REQUIRED = {each["if"]["properties"]["do"]["const"]: set(each["then"]["required"]) for each in STEP["allOf"]}
THREADS = {"by", "together"}
"""Arguments of every step, which say who makes it; no operation reads them."""
KNOWN = set(STEP["properties"]) - {"do", "as"}


def test_the_schema_knows_the_operations_by_name():
    assert STEP["properties"]["do"]["enum"] == sorted(OPERATIONS)
    assert set(REQUIRED) <= set(OPERATIONS)
    assert len(REQUIRED) == len(STEP["allOf"])


def test_each_operation_is_known_by_its_own_name():
    assert {name: each.name for name, each in OPERATIONS.items()} == {name: name for name in OPERATIONS}


@pytest.mark.parametrize("name", OPERATIONS)
def test_each_operation_says_what_it_does(name):
    found = inspect.getdoc(OPERATIONS[name].call)
    assert found
    assert found[0].isupper()
    assert found.splitlines()[0].endswith(".")


def module_of(name):
    """Return the source of the module of an operation, as a tree."""
    return ast.parse(inspect.getsource(inspect.getmodule(OPERATIONS[name].call)))


def arguments(tree):
    """Return the arguments that a module of operations reads."""
    found = set()
    for node in ast.walk(tree):
        key = None
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "args":
            key = node.slice
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "args.get":
            key = node.args[0]
        if isinstance(key, ast.Constant):
            found.add(key.value)
    return found | objects(tree)


def objects(tree):
    """Return the arguments by which a call finds objects of the program."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"env.find", "env.get"}:
            for each in node.args:
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    found.add(each.value)
                elif isinstance(each, ast.Subscript) and ast.unparse(each.value) == "args":
                    found.add(each.slice.value)
    return found


@pytest.mark.parametrize("name", OPERATIONS)
def test_the_schema_knows_the_arguments_of_each_operation(name):
    read = arguments(module_of(name))
    assert read <= KNOWN
    assert REQUIRED.get(name, set()) <= read


@pytest.mark.parametrize("name", OPERATIONS)
def test_each_argument_that_names_an_object_is_a_reference(name):
    found = objects(module_of(name))
    assert found <= set(REFERENCES)


def test_each_reference_is_the_name_of_an_object_in_the_schema():
    for name, form in STEP["properties"].items():
        named = "$defs/name" in json.dumps(form)
        assert named == (name in {*REFERENCES, "as"}), name


@pytest.mark.parametrize("name", REFERENCES)
def test_each_reference_is_used_by_its_step(name):
    assert list(do("send", **{name: "x1"}).uses()) == ["x1"]
    assert list(do("send", **{name: None}).uses()) == []


@pytest.mark.parametrize(
    ("step", "used"),
    [
        (do("message", "m1", kind="text", headers={"reply_to": "q1", "destination": "q2", "type": "q3"}), ["q1", "q2"]),
        (do("header", on="m1", what="reply_to", value="q1"), ["m1", "q1"]),
        (do("header", on="m1", what="destination", value="q1"), ["m1", "q1"]),
        (do("header", on="m1", what="destination", value=None), ["m1"]),
        (do("header", on="m1", what="type", value="q1"), ["m1"]),
        (do("set", on="p1", what="reply_to", value="q1"), ["p1", "q1"]),
        (do("consumer", "k1", on="s1", of="q1", selector="JMSMessageID = '{id m1}'"), ["s1", "q1", "m1"]),
        (do("select", on="s1", of="q1", selectors=["a = {time m1}", "b = '{id m2}'"]), ["s1", "q1", "m1", "m2"]),
        (do("consumer", "k1", on="s1", of="q1", name_="sub", client_id="a"), ["s1", "q1"]),
    ],
)
def test_what_a_step_uses(step, used):
    assert sorted(step.uses()) == sorted(used)


def test_the_message_that_a_correlation_identifier_is_taken_of_is_used():
    made = do("message", "m2", kind="text", headers={"correlation_of": "m1"})
    header = do("header", on="m2", what="correlation_of", value="m1")
    assert [list(each.uses()) for each in (made, header)] == [["m1"], ["m2", "m1"]]


def test_without_a_step_goes_what_uses_its_result_and_what_uses_that():
    steps = [
        do("queue", "q1"),
        do("message", "m1", kind="text", headers={"reply_to": "q1"}),
        do("send", on="p1", message="m1"),
        do("queue", "q2"),
        do("queue", "q1"),
        do("delete", on="q1"),
    ]
    assert list(Program(tuple(steps)).without([0]).steps) == steps[3:]


# -- what an operation says about itself -------------------------------------------------------------------------------


def test_failures_take_back_what_was_delivered():
    assert {"restart", "kill", "sever"} == FAILURES
    assert {name for name, each in OPERATIONS.items() if each.gives_back} == {
        *FAILURES, "recover", "rollback", "close", "fail_commit",
    }  # fmt: skip


def test_what_browses_shows_messages_and_delivers_none():
    assert {name for name, each in OPERATIONS.items() if each.browses} == {"browse", "next"}
    assert {name for name, each in OPERATIONS.items() if each.compared is Compared.MESSAGES} == {
        "browse", "next", "receive", "collect", "drain",
    }  # fmt: skip


def test_each_operation_that_closes_names_the_argument_with_the_object():
    closing = {name: each.closes for name, each in OPERATIONS.items() if each.closes}
    assert closing == {"close": "on", "request": "on", "close_waiting": "of"}


def test_each_way_of_comparison_is_used():
    assert {each.compared for each in OPERATIONS.values()} == set(Compared)


@pytest.mark.parametrize("name", OPERATIONS)
def test_each_call_takes_the_environment_the_arguments_and_the_name_of_its_result(name):
    parameters = list(inspect.signature(OPERATIONS[name].call).parameters)
    assert len(parameters) == 3
    assert parameters[0] == "env"
    assert inspect.get_annotations(OPERATIONS[name].call, eval_str=True)["env"] is Environment


def test_each_argument_in_the_schema_is_read():
    read = {each for name in OPERATIONS for each in arguments(module_of(name))}
    assert KNOWN - read == THREADS
