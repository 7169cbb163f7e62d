"""The rule applied to the table of Java members, against the abstract types: no gap in either direction."""

import csv
import inspect
import typing
from collections import Counter
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from types import NoneType

import pytest

import tck.api
from tck.api.java.overloads import abstract_types
from tck.api.java.rule import (
    EXCEPTIONS,
    Kind,
    Parameter,
    PythonMember,
    is_java_subtype,
    java_api,
    python_api,
    snake_case,
)

# Public members that no Java member stands behind: what Java inherits from Throwable, and what Python needs.
OWN = {f"{root}.{member}" for root in ("JMSException", "JMSRuntimeException") for member in ("reason", "java_name")}

# Public types that are not of jakarta.jms.
OWN_TYPES = {
    "values": {"OMITTED", "Omitted", "Box", "Byte", "Short", "Int", "Long", "Float", "Double", "Char", "BodyMarker", "BodyType"},
    "markers": {"OBJECT", "SERIALIZABLE", "CHAR_SEQUENCE", "COMPARABLE", "NUMBER"},
    "java": {
        "AutoCloseable", "JavaException", "IllegalArgumentException", "NumberFormatException", "NullPointerException",
        "IndexOutOfBoundsException", "UnsupportedOperationException", "JavaIllegalStateException",
    },
    "xa": {"XAException", "XAResource", "Xid"},
    "spi": {"Provider", "ProviderInfo", "Hook", "Clock", "SystemClock", "Event", "OpenProvider", "SettingsError", "partial"},
    "overloads": {"check_overload", "resolve_overload"},
}  # fmt: skip

NUMBERS = dict.fromkeys(("byte", "short", "int", "long"), int)
HINTS: Mapping[str, object] = {
    **NUMBERS,
    "boolean": bool,
    "float": float,
    "double": float,
    "char": str,
    "String": str,
    "Object": object,
    "Serializable": object,
    "Exception": (Exception, BaseException),
    "Throwable": BaseException,
    "byte[]": (bytes, bytearray),
    "Enumeration": Iterator,
    "Set<String>": AbstractSet,
    "T": object,
    "void": NoneType,
    "": NoneType,
}


def differences(types: Mapping[str, type]) -> list[str]:
    """List every place where the abstract types and the rule say different things."""
    found = [f"missing type {name}" for name in python_api() if name not in types]
    for name, cls in types.items():
        members = python_api()[name]
        for member in members.values():
            owner = tck.api.Provider if member.kind is Kind.FACTORY else cls
            own = owner.__init__ if member.kind is Kind.CONSTRUCTOR else vars(owner).get(member.name)
            if own is None:
                found.append(f"missing {name}.{member.name}")
            else:
                found += [f"{name}.{member.name}: {text}" for text in mismatches(own, member)]
        public = {key for key in vars(cls) if not key.startswith("_")}
        found += [f"extra {name}.{key}" for key in public - set(members) if f"{name}.{key}" not in OWN]
    return sorted(found)


def mismatches(actual: object, member: PythonMember) -> Iterator[str]:
    if member.kind is Kind.CONSTANT:
        if actual != int(member.overloads[0].java.constant.removesuffix("l")):
            yield f"value {actual!r}"
    elif member.kind is Kind.PROPERTY:
        if not isinstance(actual, property):
            yield "not a property"
            return
        if (actual.fset is not None) != member.writable:
            yield "writable" if actual.fset else "not writable"
        yield from hint_mismatch(actual.fget, "return", member.overloads[0].java.returns)
        if actual.fset and member.writable:
            last = list(inspect.signature(actual.fset).parameters)[-1]
            yield from hint_mismatch(actual.fset, last, member.overloads[1].java.parameters[0])
    elif not inspect.isfunction(actual):
        yield "not a method"
    else:
        yield from call_mismatches(actual, member)


def call_mismatches(actual: typing.Any, member: PythonMember) -> Iterator[str]:
    actual_parameters = list(inspect.signature(actual).parameters.values())[1:]
    if [shape(p) for p in actual_parameters] != [(p.required, p.keyword_only) for p in member.parameters]:
        yield f"parameters {[str(p) for p in actual_parameters]}"
        return
    for given, wanted in zip(actual_parameters, member.parameters, strict=True):
        yield from hint_mismatch(actual, given.name, wanted)
    if member.kind is Kind.METHOD:
        yield from hint_mismatch(actual, "return", member.overloads[0].java.returns)


def shape(parameter: inspect.Parameter) -> tuple[bool, bool]:
    if parameter.default is not inspect.Parameter.empty:
        assert parameter.default is tck.api.OMITTED
    return parameter.default is inspect.Parameter.empty, parameter.kind is inspect.Parameter.KEYWORD_ONLY


def hint_mismatch(function: typing.Any, name: str, java: "Parameter | str") -> Iterator[str]:
    java_type = java.java_type if isinstance(java, Parameter) else java
    hint = typing.get_type_hints(function)[name]
    parts = set(typing.get_args(hint)) if typing.get_origin(hint) in (typing.Union, type(int | str)) else {hint}
    omitted = tck.api.Omitted in parts
    if isinstance(java, Parameter) and java_type not in ("Object", "Serializable") and omitted == java.required:
        yield f"{name}: {hint} with required={java.required}"
    core = parts - {tck.api.Omitted, NoneType} or {NoneType}
    if java_type == "Class":
        wanted = set(typing.get_args(tck.api.BodyType))
    else:
        raw = HINTS.get(java_type, getattr(tck.api, java_type, None))
        wanted = set(raw) if isinstance(raw, tuple) else {raw}
        core = {typing.get_origin(part) or part for part in core}
    supertypes = {c for c in core if isinstance(c, type) and c.__name__ in java_api()}
    if supertypes and all(is_java_subtype(java_type, c.__name__) for c in supertypes):
        return  # a redeclared member keeps the wider parameter of its supertype
    if not core <= wanted:
        yield f"{name}: {hint} for {java_type}"


def test_abstract_types_follow_the_rule_without_a_gap():
    assert differences(abstract_types()) == []


def test_whole_table_is_covered():
    assert len(java_api()) == 81
    assert sum(len(java.members) for java in java_api().values()) == 526
    members = [member for members in python_api().values() for member in members.values()]
    covered = Counter(id(overload.java) for member in members for overload in member.overloads)
    assert len(covered) == 501
    assert set(covered.values()) == {1}


def test_exceptions_of_the_rule_are_21():
    outside = [o for members in python_api().values() for m in members.values() if m.exception for o in m.overloads]
    assert len(outside) == 21
    assert {m.exception for members in python_api().values() for m in members.values()} - {""} == set(EXCEPTIONS)


def test_annotations_are_not_built():
    annotations = [java for java in java_api().values() if java.kind == "annotation"]
    assert (len(annotations), sum(len(java.members) for java in annotations)) == (7, 25)
    assert not [java.name for java in annotations if hasattr(tck.api, java.name)]


def test_everything_public_is_of_the_table_or_named():
    assert set(tck.api.__all__) == set(python_api()) | set().union(*OWN_TYPES.values())
    assert [name for name in tck.api.__all__ if not hasattr(tck.api, name)] == []


def test_inheritance_follows_java():
    for name, cls in abstract_types().items():
        bases = {base.__name__ for base in cls.__mro__}
        for parent in java_api()[name].extends:
            if parent in python_api() or parent == "AutoCloseable":
                assert parent in bases, f"{name} extends {parent}"


def test_redeclared_methods_keep_parameter_names():
    for name, cls in abstract_types().items():
        for key, member in python_api()[name].items():
            inherited = [base for base in cls.__mro__[1:] if key in vars(base) and base.__name__ in python_api()]
            if member.kind is Kind.METHOD and inherited:
                ours, theirs = (list(inspect.signature(vars(c)[key]).parameters) for c in (cls, inherited[0]))
                assert ours == theirs, f"{name}.{key}"


class _Queue:
    @property
    def queue_name(self) -> int:
        return 1

    @queue_name.setter
    def queue_name(self, name: str) -> None:
        del name

    def purge(self) -> None:
        del self


class _Producer(tck.api.TopicPublisher):
    topic = tck.api.TopicPublisher.topic

    def publish(self, message: tck.api.Message, topic: tck.api.Topic) -> None: ...


@pytest.mark.parametrize(
    ("name", "broken", "expected"),
    [
        (
            "Queue",
            _Queue,
            [
                "Queue.queue_name: return: <class 'int'> for String",
                "Queue.queue_name: writable",
                "extra Queue.purge",
                "missing Queue.__str__",
            ],
        ),
        (
            "TopicPublisher",
            _Producer,
            [
                "TopicPublisher.publish: parameters ['message: tck.api.messages.Message', 'topic: tck.api.destinations.Topic']"
            ],
        ),
    ],
)
def test_gap_in_either_direction_is_found(name, broken, expected):
    assert differences({**abstract_types(), name: broken}) == expected


def test_missing_type_is_found():
    types = dict(abstract_types())
    del types["XASession"]
    assert differences(types) == ["missing type XASession"]


@pytest.mark.parametrize(
    ("java", "python"),
    [
        ("getJMSCorrelationIDAsBytes", "get_jms_correlation_id_as_bytes"),
        ("getJMSXPropertyNames", "get_jmsx_property_names"),
        ("readUTF", "read_utf"),
        ("createXAQueueConnection", "create_xa_queue_connection"),
        ("getXAResource", "get_xa_resource"),
        ("setClientID", "set_client_id"),
        ("receiveBodyNoWait", "receive_body_no_wait"),
        ("run", "run"),
    ],
)
def test_names_turn_to_snake_case(java, python):
    assert snake_case(java) == python


def test_no_two_java_names_meet():
    for java in java_api().values():
        names = {member.name for member in java.members if member.kind == "method"}
        assert len({snake_case(name) for name in names}) == len(names)


def test_merged_send_has_the_shared_parameter_first():
    send = python_api()["MessageProducer"]["send"]
    assert [p.java_type for p in send.parameters] == [
        "Message",
        "Destination",
        "int",
        "int",
        "long",
        "CompletionListener",
    ]
    assert [p.keyword_only for p in send.parameters] == [False, True, True, True, True, True]
    assert [(str(o.java), o.fills) for o in send.overloads if o.java.parameters == ("Destination", "Message")] == [
        ("send(Destination, Message)", (1, 0))
    ]


def test_official_list_names_the_same_overloads():
    listed = Path(tck.api.__file__).parents[1] / "catalogue" / "data" / "official-javadoc-ids.csv"
    known = {(m.type, m.name, m.parameters) for java in java_api().values() for m in java.members}
    with listed.open(encoding="utf-8") as file:
        rows = [(row["type"], row["method"], tuple(row["parameters"].split())) for row in csv.DictReader(file)]
    assert len(rows) > 1000
    assert set(rows) <= known
