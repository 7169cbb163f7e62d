"""Steps of recipes on classes of Java itself; run by test_jvm_recipes.py in a process of its own."""

import re
import sys

from tck.adapters.jvm.machine import Machine
from tck.adapters.jvm.recipe import Recipe
from tck.profile import AdapterError

machine = Machine.start((), (), oldest=11, loggers=False)


def recipe():
    return Recipe(machine, lambda: {"work": "/w", "port": "7"}, "broker")


def result(*steps, **more):
    return recipe().run(steps, "start", **more)


def refused(*steps):
    try:
        result(*steps)
    except AdapterError as error:
        return str(error)
    raise AssertionError(f"{steps} was accepted")


def static(kind, method, *arguments):
    return {"on": f"java.lang.{kind}", "call": method, "arguments": list(arguments)}


# verbs
assert str(result({"new": "java.lang.StringBuilder", "arguments": ["{work}:{port}"]})) == "/w:7"
assert str(result(static("Integer", "toString", {"int": 255}, {"int": 16}))) == "ff"
assert int(result({"on": "java.lang.Integer", "field": "MAX_VALUE"})) == 2**31 - 1
assert str(result({"on": "java.util.concurrent.TimeUnit", "field": "DAYS"})) == "DAYS"
assert str(
    result({"new": "java.util.Date", "as": "d", "properties": {"time": 0}}, {"on": "d", "call": "toInstant"})
).startswith("1970")
assert str(
    result(
        {"new": "java.lang.StringBuilder", "as": "b"},
        {"on": "b", "call": "append", "arguments": [{"string": "{name}"}]},
        {"on": "b", "call": "toString"},
        name="q1",
    )
) == "q1"  # fmt: skip

# what a recipe names for one destination, another at the same time does not see
known = recipe()
known.run([{"new": "java.lang.Object", "as": "broker"}], "start")
first, second = known.apart(), known.apart()
first.run([{"new": "java.lang.Object", "as": "request"}], "create")
assert first.objects["broker"] is second.objects["broker"]
assert ["request" in each.objects for each in (first, second, known)] == [True, False, False]

# arguments
assert result({"new": "java.util.ArrayList", "arguments": [["a", {"long": 1}]]}).size() == 2
assert str(result(static("String", "valueOf", {"new": "java.util.ArrayList"}))) == "[]"
assert (
    str(result({"new": "java.util.TreeMap", "arguments": [{"map": {"k": "{port}", "n": {"map": {"a": "b"}}}}]}))
    == "{k=7, n={a=b}}"
)
assert str(result(static("String", "valueOf", {"file": "{work}/x"}))) == "/w/x"
assert (
    str(result({"on": "java.util.Arrays", "call": "asList", "arguments": [{"strings": ["-p", "{port}"]}]})) == "[-p, 7]"
)
assert str(result(static("String", "valueOf", {"class": "java.lang.String"}))) == "class java.lang.String"
assert str(result(static("String", "valueOf", {"null": "java.lang.Object"}))) == "null"
assert str(
    result(
        {"new": "java.util.Date", "arguments": [{"long": 0}], "as": "d"}, static("String", "valueOf", {"object": "d"})
    )
)
for box, value in (("boolean", True), ("byte", 1), ("short", 1), ("float", 0.5), ("double", 0.5), ("char", "c")):
    held = result({"new": "java.util.ArrayList", "arguments": [[{box: value}]]}).get(0)
    assert str(held.getClass().getSimpleName()) == {"char": "Character"}.get(box, box.title())

# mistakes
for steps, said in (
    (({"on": "x"},), r"broker\.start, step 1: expected one of new, call and field, .*; saw none of them"),
    (({"new": "java.util.Date", "call": "x"},), r"saw new and call"),
    (({"new": "java.util.Date", "argument": []},), r"saw the unknown key argument"),
    (({"call": "x"},), r"call x: on which object or class\? Add on"),
    (({"new": "java.util.Dates"},), r"there is no Java class java\.util\.Dates"),
    (({"on": "java.lang.Integer", "call": "nothing"},), r"java\.lang\.Integer has no public method nothing"),
    (({"on": "java.lang.Integer", "field": "NOTHING"},), r"java\.lang\.Integer has no public field NOTHING"),
    (({"new": "java.util.Date", "arguments": ["a", "b"]},), r"new java\.util\.Date does not take \(str a, str b\)"),
    (
        ({"new": "java.util.Date"}, static("String", "valueOf", {"object": "d"})),
        r"step 2: no step before made an object d; there are none",
    ),
    (
        ({"new": "java.util.Date", "arguments": [{"integer": 5}]},),
        r"an argument is a plain value, a step, or a table of one of",
    ),
    (({"new": "java.util.Date", "properties": {"colour": 1}},), r"java\.util\.Date has no public method setColour"),
    (
        ({"new": "java.lang.String", "arguments": ["{home}"]},),
        r'"\{home\}" has an unknown placeholder; there are \{work\}, \{port\}',
    ),
):
    told = refused(*steps)
    assert re.search(said, told), (said, told)

sys.stdout.write("all hold\n")
