"""The exception trees: shape, apartness, and what an exception carries."""

import copy
import itertools
import pickle

import pytest

import tck.api
from tck.api import (
    IllegalStateException,
    InvalidDestinationException,
    JavaException,
    JavaIllegalStateException,
    JMSException,
    JMSRuntimeException,
    NullPointerException,
    NumberFormatException,
    UnsupportedOperationException,
    XAException,
)
from tck.api.java.rule import java_api

NAMES = [java.name for java in java_api().values() if java.is_exception]
STANDARD = [getattr(tck.api, name) for name in NAMES]
CHECKED = [kind for kind in STANDARD if issubclass(kind, JMSException)]
RUNTIME = [kind for kind in STANDARD if issubclass(kind, JMSRuntimeException)]
JAVA = [kind for kind in vars(tck.api).values() if isinstance(kind, type) and issubclass(kind, JavaException)]


def test_twelve_checked_and_ten_runtime_exceptions_exist():
    assert len(CHECKED) == 1 + 12
    assert len(RUNTIME) == 1 + 10
    assert len(STANDARD) == len(CHECKED) + len(RUNTIME)
    assert all(kind.__bases__ == (JMSException,) for kind in CHECKED if kind is not JMSException)
    assert all(kind.__bases__ == (JMSRuntimeException,) for kind in RUNTIME if kind is not JMSRuntimeException)


def test_runtime_twins_lack_only_the_two_that_reading_raises():
    twins = {kind.__name__.replace("RuntimeException", "Exception") for kind in RUNTIME}
    assert {kind.__name__ for kind in CHECKED} - twins == {"MessageEOFException", "MessageNotReadableException"}


def test_no_tree_catches_another():
    for first, second in itertools.permutations((CHECKED, RUNTIME, JAVA), 2):
        caught = [(a.__name__, b.__name__) for a in first for b in second if issubclass(a, b)]
        assert caught == []


def test_the_two_illegal_states_are_unrelated():
    assert not issubclass(IllegalStateException, JavaIllegalStateException)
    assert not issubclass(JavaIllegalStateException, IllegalStateException)
    assert JavaIllegalStateException.java_name == "java.lang.IllegalStateException"


@pytest.mark.parametrize(
    ("name", "builtin"),
    [
        ("IllegalArgumentException", ValueError),
        ("NumberFormatException", ValueError),
        ("NullPointerException", TypeError),
        ("IndexOutOfBoundsException", IndexError),
        ("UnsupportedOperationException", NotImplementedError),
        ("JavaIllegalStateException", RuntimeError),
        ("JMSRuntimeException", RuntimeError),
    ],
)
def test_python_bases(name, builtin):
    assert issubclass(getattr(tck.api, name), builtin)


def test_number_format_is_an_illegal_argument_as_in_java():
    assert issubclass(NumberFormatException, tck.api.IllegalArgumentException)


@pytest.mark.parametrize("kind", STANDARD, ids=lambda kind: kind.__name__)
def test_reason_alone_leaves_the_rest_null(kind):  # 10.2-10
    error = kind("no route")
    assert (error.reason, error.error_code, str(error), error.__cause__) == ("no route", None, "no route", None)


@pytest.mark.parametrize("kind", STANDARD, ids=lambda kind: kind.__name__)
def test_all_three_arguments_come_back(kind):  # 10.2-12, 10.2-13
    cause = ValueError("below")
    error = kind("no route", "E42", cause)
    assert (error.reason, error.error_code, error.__cause__) == ("no route", "E42", cause)
    assert getattr(error, "linked_exception", cause) is cause


@pytest.mark.parametrize("kind", STANDARD, ids=lambda kind: kind.__name__)
def test_cause_without_code_is_no_constructor(kind):
    with pytest.raises(TypeError, match=kind.__name__):
        kind("no route", cause=ValueError())
    assert kind("no route", None, ValueError()).error_code is None


@pytest.mark.parametrize("kind", STANDARD, ids=lambda kind: kind.__name__)
def test_exception_survives_copy_and_pickle(kind):
    error = kind("no route", "E42", ValueError("below"))
    for twin in (copy.copy(error), pickle.loads(pickle.dumps(error))):  # noqa: S301 - our own bytes
        assert (type(twin), twin.reason, twin.error_code) == (kind, "no route", "E42")


def test_linked_exception_is_set_and_read():  # 10.2-11
    error = InvalidDestinationException("gone")
    assert error.linked_exception is None
    below = OSError("reset")
    error.linked_exception = below
    assert (error.linked_exception, error.__cause__) == (below, below)
    error.linked_exception = None
    assert error.linked_exception is None


def test_linking_keeps_the_cause_that_python_knows():
    with pytest.raises(JMSException) as caught:
        raise JMSException("late") from ValueError("first")
    caught.value.linked_exception = OSError("second")
    assert isinstance(caught.value.__cause__, ValueError)


def test_runtime_exceptions_have_no_linked_exception():
    assert not hasattr(JMSRuntimeException("x"), "linked_exception")


def test_null_reason_shows_as_empty_text():
    assert (JMSException(None).reason, str(JMSException(None))) == (None, "")
    assert str(JMSRuntimeException(None)) == ""


def test_java_exceptions_take_a_text():
    for kind in (NullPointerException, UnsupportedOperationException, NumberFormatException):
        assert str(kind("why")) == "why"


def test_xa_exception_carries_its_code():
    error = XAException(XAException.XAER_NOTA, "unknown branch")
    assert (error.error_code, error.reason, str(error)) == (-4, "unknown branch", "XA error -4: unknown branch")
    assert (XAException().error_code, str(XAException(100))) == (0, "XA error 100")
    twin = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert (twin.error_code, twin.reason) == (-4, "unknown branch")


def test_xa_codes_are_those_of_the_x_open_list():
    codes = {name: value for name, value in vars(XAException).items() if name.startswith("XA")}
    rollbacks = range(XAException.XA_RBBASE, XAException.XA_RBEND + 1)
    assert (
        sorted({value for name, value in codes.items() if name.startswith("XA_RB")})
        == list(rollbacks)
        == list(range(100, 108))
    )
    assert sorted(value for name, value in codes.items() if name.startswith("XAER_")) == list(range(-9, -1))
    assert sorted(value for name, value in codes.items() if 0 < value < 100) == list(range(3, 10))
