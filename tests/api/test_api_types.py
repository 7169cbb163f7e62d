"""What every abstract type has: slots, context managers, refusal of half an implementation."""

import inspect
import re
from enum import Enum
from pathlib import Path

import pytest

import tck.api
from tck.api import AutoCloseable, TextMessage, Xid
from tck.api.java.overloads import abstract_types

CLASSES = [
    value
    for value in vars(tck.api).values()
    if inspect.isclass(value)
    and not issubclass(value, (BaseException, Enum))
    and value.__module__.startswith("tck.api")
]
INTERFACES = [cls for cls in abstract_types().values() if inspect.isabstract(cls)]


def nothing(self, *arguments, **named):
    del arguments, named


def idle_property(abstract):
    return property(nothing, nothing if abstract.fset else None)


def is_property(cls, name):
    return isinstance(inspect.getattr_static(cls, name), property)


def concrete(cls):
    """Make an instance that implements every abstract member by doing nothing."""
    body = {
        name: idle_property(inspect.getattr_static(cls, name)) if is_property(cls, name) else nothing
        for name in cls.__abstractmethods__
    }
    return type(f"Idle{cls.__name__}", (cls,), {"__slots__": (), "__str__": lambda _: "idle", **body})()


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_instances_have_no_dictionary(cls):
    assert cls.__dictoffset__ == 0


@pytest.mark.parametrize("cls", INTERFACES, ids=lambda cls: cls.__name__)
def test_misspelt_attribute_fails(cls):
    with pytest.raises(AttributeError):
        concrete(cls).jms_typ = "x"


@pytest.mark.parametrize("cls", INTERFACES, ids=lambda cls: cls.__name__)
def test_missing_member_is_refused(cls):
    with pytest.raises(TypeError, match="abstract"):
        type("Empty", (cls,), {"__slots__": ()})()


def test_read_only_property_cannot_be_assigned():
    session = concrete(tck.api.Session)
    with pytest.raises(AttributeError):
        session.transacted = True


@pytest.mark.parametrize("cls", INTERFACES, ids=lambda cls: cls.__name__)
def test_what_closes_is_a_context_manager(cls):
    assert hasattr(cls, "close") == issubclass(cls, AutoCloseable)


class Recorded(AutoCloseable):
    __slots__ = ("closed", "failure")

    def __init__(self, failure=None):
        self.closed, self.failure = 0, failure

    def close(self):
        self.closed += 1
        if self.failure:
            raise self.failure


def test_with_closes_once_and_gives_the_object():
    resource = Recorded()
    with resource as inside:
        assert inside is resource
        assert resource.closed == 0
    assert resource.closed == 1


def test_error_of_close_comes_out_of_a_clean_block():
    with pytest.raises(OSError, match="late"), Recorded(OSError("late")):
        pass


def test_error_of_the_block_wins_over_that_of_close():
    resource = Recorded(OSError("late"))
    with pytest.raises(ValueError, match="first") as caught, resource:
        raise ValueError("first")
    assert caught.value.__notes__ == ["close() then raised OSError: late"]
    assert resource.closed == 1


def test_constants_cannot_be_changed_on_an_instance():
    with pytest.raises(AttributeError):
        concrete(TextMessage).DEFAULT_PRIORITY = 9


def test_xid_is_a_value_of_three_parts():
    assert Xid(1, b"g", b"b") == Xid(1, b"g", b"b")
    assert Xid(1, b"g", b"b") != Xid(1, b"g", b"c")
    assert len({Xid(1, b"g", b"b"), Xid(1, b"g", b"b")}) == 1
    assert Xid(-1, bytes(64), bytes(64)).branch_qualifier == bytes(64)
    with pytest.raises(ValueError, match="64 bytes"):
        Xid(1, bytes(65), b"")
    with pytest.raises(ValueError, match="64 bytes"):
        Xid(1, b"", bytes(65))


def test_connection_consumers_need_the_classic_api():  # 11.2-1
    assert not [name for name in dir(tck.api.JMSContext) if "connection_consumer" in name]


def test_xa_interfaces_have_their_domain_counterparts():  # 11.4-2
    for name in ("ConnectionFactory", "Connection", "Session"):
        for domain in ("Queue", "Topic"):
            assert hasattr(tck.api, f"XA{name}")
            assert hasattr(tck.api, f"XA{domain}{name}")
            assert issubclass(getattr(tck.api, f"XA{domain}{name}"), getattr(tck.api, f"XA{name}"))
    assert not [
        name for name in tck.api.__all__ if name.startswith("XA") and "JMSContext" in name and name != "XAJMSContext"
    ]


def test_manual_cites_assertions_that_exist():
    root = Path(tck.api.__file__).parent
    rows = (root.parent / "catalogue" / "data").glob("ch*.toml")
    known = {
        found for file in rows for found in re.findall(r'^id = "(.+)"$', file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    cited = {
        found
        for file in root.glob("*.py")
        for found in re.findall(r"\b\d+(?:\.\d+)+-\d+\b", file.read_text(encoding="utf-8"))
    }
    assert len(cited) > 300
    assert cited - known == set()
