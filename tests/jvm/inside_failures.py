"""Run by test_jvm_loopback.py in a process of its own: exceptions from Python to Java and back."""

import pytest
from jvm_loopback import open_provider

from tck import api
from tck.adapters.jvm.binding import Binding
from tck.adapters.jvm.machine import Machine
from tck.record.events import class_name

OF_JAVA = (
    api.NullPointerException,
    api.IndexOutOfBoundsException,
    api.IllegalArgumentException,
    api.NumberFormatException,
    api.JavaIllegalStateException,
    api.UnsupportedOperationException,
)
OF_API = [
    kind
    for kind in vars(api).values()
    if isinstance(kind, type) and issubclass(kind, (api.JMSException, api.JMSRuntimeException))
]


@pytest.fixture(scope="module")
def binding(tmp_path_factory):
    with open_provider({"clock": "virtual"}, tmp_path_factory.mktemp("loopback")):
        yield Binding(Machine.running(), "jakarta")


def thrown(binding, error):
    """The exception that a caller in Python gets from a method of Java that Python implements."""
    throwable = binding.failures.java(error)

    class Body:
        def call(self):
            raise throwable

    body = binding.machine.jpype.JProxy("java.util.concurrent.Callable", inst=Body())
    task = binding.machine.type("java.util.concurrent.FutureTask")(body)
    task.run()
    with pytest.raises(binding.machine.jpype.JException) as caught:
        task.get()
    met = caught.value.getCause()  # as Java keeps it
    assert met.equals(throwable)
    return met, binding.failures.python(met)


@pytest.mark.parametrize("kind", OF_JAVA, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("texts", [(), ("why \u4e2d",)], ids=["no text", "text"])
def test_exceptions_of_the_platform_keep_class_text_and_cause(binding, kind, texts):
    error = kind(*texts)
    error.__cause__ = api.IndexOutOfBoundsException("behind")
    met, back = thrown(binding, error)
    assert str(met.getClass().getName()) == kind.java_name
    assert type(back) is kind
    assert back.args == texts
    assert (met.getMessage() is None) == (not texts)
    assert str(met.getCause().getClass().getName()) == "java.lang.IndexOutOfBoundsException"
    assert str(back.__cause__) == "behind"


@pytest.mark.parametrize("kind", OF_API, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize(("text", "code"), [("why", "E17"), ("", ""), (None, None)])
def test_exceptions_of_the_messaging_api_keep_code_and_link(binding, kind, text, code):
    error = kind(text, code, api.NullPointerException("behind"))
    met, back = thrown(binding, error)
    assert str(met.getClass().getName()) == f"jakarta.jms.{kind.__name__}"
    assert (type(back), back.reason, back.error_code) == (kind, text, code)
    assert type(back.__cause__) is api.NullPointerException
    if issubclass(kind, api.JMSException):
        assert str(met.getLinkedException().getMessage()) == "behind"
        assert type(back.linked_exception) is api.NullPointerException


def test_a_link_without_a_cause_stays_a_link(binding):
    error = api.JMSException("why")
    error.linked_exception = api.JMSException("behind", "E1")
    _, back = thrown(binding, error)
    assert (str(back.linked_exception), back.linked_exception.error_code) == ("behind", "E1")


def test_a_ring_of_exceptions_ends(binding):
    error, other = api.JMSException("a"), api.JMSException("b")
    error.linked_exception, other.linked_exception = other, error
    met, _ = thrown(binding, error)
    assert str(met.getLinkedException().getMessage()) == "b"


def test_another_error_of_python_is_an_unchecked_one(binding):
    met, _ = thrown(binding, KeyError("x"))
    assert str(met.getClass().getName()) == "java.lang.RuntimeException"
    assert str(met.getMessage()) == "KeyError: 'x'"


def test_a_branchs_exception_keeps_its_code(binding):
    met, back = thrown(binding, api.XAException(api.XAException.XAER_NOTA, "no such branch"))
    assert int(met.errorCode) == api.XAException.XAER_NOTA
    assert back.error_code == api.XAException.XAER_NOTA


@pytest.mark.parametrize("kind", OF_API, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("given", [("why",), ("why", "E17"), (None, None), ("why", "E17", ValueError("behind"))])
def test_exceptions_are_made_by_each_constructor_of_the_jar(binding, kind, given):
    made = binding.failures.constructed(kind, *given)
    reason, code, cause = (*given, None, None)[:3]
    assert (type(made), made.reason, made.error_code) == (kind, reason, code)
    assert made.java_name == f"jakarta.jms.{kind.__name__}"
    assert (made.__cause__ is None) == (cause is None)
    if issubclass(kind, api.JMSException):
        assert (made.linked_exception is None) == (cause is None)


def test_an_exception_is_linked_in_java(binding):
    made = binding.failures.constructed(api.JMSException, "why")
    linked = binding.failures.linked(made, api.NullPointerException("behind"))
    assert str(linked.linked_exception) == "behind"
    assert binding.failures.linked(linked, None).linked_exception is None


@pytest.mark.parametrize(("name", "checked"), [("java.io.IOException", True), ("java.lang.ArithmeticException", False)])
def test_other_exceptions_of_java_know_whether_they_are_checked(binding, name, checked):
    native = binding.machine.type(name).class_.getConstructor([]).newInstance([])
    assert binding.failures.python(native).checked is checked


@pytest.mark.parametrize("name", ["java.lang.ArithmeticException", "java.util.Map$Entry", "jakarta.jms.JMSException"])
def test_a_class_of_java_has_the_name_that_java_gives_it(binding, name):
    assert class_name(binding.machine.type(name)) == name


def test_what_a_block_raises_in_java_is_translated(binding):
    with (
        pytest.raises(api.NumberFormatException, match=r'^For input string: "one"') as caught,
        binding.failures.translated(),
    ):
        binding.machine.type("java.lang.Integer").parseInt("one")
    assert caught.value.__cause__ is None
