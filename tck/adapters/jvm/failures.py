"""Exceptions between Java and Python: the corresponding type, with native class, text, code, link and stack kept."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeVar, cast

from tck import api
from tck.adapters.jvm.machine import Machine
from tck.api.java.rule import java_api

_Failure = TypeVar("_Failure", bound="api.JMSException | api.JMSRuntimeException")

NATIVE: Final = "java_throwable"
"""Attribute of an exception that came out of Java: the throwable itself."""
_DEPTH: Final = 10
"""Linked exceptions beyond this number are left out: a chain may be a ring."""


class NoSuchMethodError(api.JavaException):
    """Says that the jars' API lacks a member or a class."""

    java_name = "java.lang.NoSuchMethodError"
    checked = False


NoSuchMethodError.__module__ = api.__name__


def absent(what: str) -> NoSuchMethodError:
    """Return the exception of a call of what the jars' API does not have; the suite judges it as absent."""
    return NoSuchMethodError(f"{what} is not in the provider's jars")


def _platform_types() -> dict[str, type[api.JavaException]]:
    found: dict[str, type[api.JavaException]] = {}
    todo: list[type[api.JavaException]] = [api.JavaException]
    while todo:
        kind = todo.pop()
        found.setdefault(kind.java_name, kind)  # a type of the kit shares the name of its Java base
        todo += kind.__subclasses__()
    return found


class Failures:
    """Translates exceptions, for one namespace of the messaging API."""

    def __init__(self, machine: Machine, package: str) -> None:
        self._machine = machine
        self._package = package
        self.throwable = machine.type("java.lang.Throwable")
        self._exception = machine.type("java.lang.Exception")
        self._unchecked = (machine.type("java.lang.RuntimeException"), machine.type("java.lang.Error"))
        self._text_type = machine.type("java.lang.String")
        self._of_api: dict[str, type[Exception]] = {
            f"{package}.{each.name}": getattr(api, each.name) for each in java_api().values() if each.is_exception
        }
        self._of_java = _platform_types()
        self._found: dict[type, type[BaseException]] = {}

    # -- from Java -----------------------------------------------------------------------------------------------

    def python(self, throwable: Any, depth: int = 0) -> Exception:
        """Return the exception that corresponds to a throwable."""
        kind = self._kind(throwable)
        text = _text(throwable.getMessage())
        link = self._link(throwable, depth)
        made: Exception
        if issubclass(kind, (api.JMSException, api.JMSRuntimeException)):
            made = kind(text, _text(throwable.getErrorCode()))
            if isinstance(made, api.JMSException):
                linked = throwable.getLinkedException()
                if linked is not None and depth < _DEPTH:
                    made.linked_exception = self.python(linked, depth + 1)
        elif issubclass(kind, api.XAException):
            made = kind(int(throwable.errorCode), text)
        else:
            made = kind(*([] if text is None else [text]))
        if made.__cause__ is None and link is not None:
            made.__cause__ = link
        if not isinstance(made, api.JavaException):
            made.java_name = str(throwable.getClass().getName())  # type: ignore[attr-defined]  # both roots have it
        setattr(made, NATIVE, throwable)
        if depth == 0:
            made.add_note(f"Java stack:\n{_stack(throwable)}")
        return made

    @contextlib.contextmanager
    def translated(self) -> Iterator[None]:
        """Raise what the calls inside raise in Java as the exception that corresponds to it."""
        try:
            yield
        except self.throwable as error:
            failure = self.python(error)
        else:
            return
        raise failure from failure.__cause__

    def _link(self, throwable: Any, depth: int) -> Exception | None:
        cause = throwable.getCause()
        return None if cause is None or depth >= _DEPTH else self.python(cause, depth + 1)

    def _kind(self, throwable: Any) -> type[Exception]:
        known = self._found.get(type(throwable))
        if known is None:
            known = self._found.setdefault(type(throwable), self._find(throwable))
        return known  # type: ignore[return-value]

    def _find(self, throwable: Any) -> type[Exception]:
        """Return the type of the nearest class that has one; other classes of Java get a type of their name."""
        above = throwable.getClass()
        while above is not None:
            name = str(above.getName())
            if name in self._of_api:
                return self._of_api[name]
            if name in self._of_java and name != api.JavaException.java_name:
                return self._of_java[name]
            above = above.getSuperclass()
        name = str(throwable.getClass().getName())
        facts = {"java_name": name, "checked": not isinstance(throwable, self._unchecked), "__module__": api.__name__}
        return type(name.rpartition(".")[2], (api.JavaException,), facts)

    # -- made by Java -------------------------------------------------------------------------------------------

    def constructed(self, kind: type[_Failure], *arguments: str | Exception | None) -> _Failure:
        """Construct an exception of the messaging API in Java: from reason, error code and cause, as far as they are given.

        Raises:
            NoSuchMethodError: The jars' API lacks the class, or a constructor with these parameters.
        """
        cause_type = self._exception if issubclass(kind, api.JMSException) else self.throwable
        types = [self._text_type, self._text_type, cause_type][: len(arguments)]
        native = [self.java(each) if isinstance(each, Exception) else each for each in arguments]
        given = [self._machine.jpype.JObject(each, of) for each, of in zip(native, types, strict=True)]
        name = f"{self._package}.{kind.__name__}"
        if not self._has(name, types):
            raise absent(f"{name}({', '.join(str(each.class_.getSimpleName()) for each in types)})")
        try:
            made = self.python(self._construct(name, types, given))
        except self.throwable as error:
            failure = self.python(error)
        else:
            return cast("_Failure", made)
        raise failure

    def linked(self, error: api.JMSException, linked: Exception | None) -> api.JMSException:
        """Call setLinkedException of an exception in Java; return the exception as it is then."""
        native = self.java(error)
        try:
            native.setLinkedException(None if linked is None else self._linked(linked, 1))
            made = self.python(native)
        except self.throwable as raised:
            failure = self.python(raised)
        else:
            return cast("api.JMSException", made)
        raise failure

    # -- to Java -------------------------------------------------------------------------------------------------

    def java(self, error: BaseException | None, depth: int = 0) -> Any:
        """Return the throwable for an exception of a listener or of the suite, with text, code, cause and link."""
        if error is None:
            return None
        native = getattr(error, NATIVE, None)
        if native is not None:
            return native
        made = self._throwable(error)
        linked = getattr(error, "linked_exception", None)
        if linked is not None and depth < _DEPTH and hasattr(made, "setLinkedException"):
            made.setLinkedException(self._linked(linked, depth + 1))
        if error.__cause__ is not None and depth < _DEPTH and made.getCause() is None:
            made.initCause(self.java(error.__cause__, depth + 1))
        return made

    def _throwable(self, error: BaseException) -> Any:
        for kind in type(error).__mro__:
            if kind.__name__ in java_api() and kind.__module__.startswith(api.__name__):
                if not self._machine.has(f"{self._package}.{kind.__name__}"):
                    continue  # an old API has none of it: the next base, in the end a RuntimeException
                reason, code = getattr(error, "reason", None), getattr(error, "error_code", None)
                return self._new(f"{self._package}.{kind.__name__}", reason, code)
            if issubclass(kind, api.XAException) and kind is not api.JavaException:
                made = self._new(api.XAException.java_name, str(error))
                made.errorCode = int(error.error_code)  # type: ignore[attr-defined]
                return made
            if issubclass(kind, api.JavaException) and kind.java_name in self._of_java:
                return self._new(kind.java_name, str(error.args[0]) if error.args else None)
        return self._new("java.lang.RuntimeException", f"{type(error).__name__}: {error}")

    def _linked(self, error: BaseException, depth: int) -> Any:
        """Return the throwable as a linked exception, which cannot be an Error of Java."""
        made = self.java(error, depth)
        return made if isinstance(made, self._exception) else self._new("java.lang.RuntimeException", str(error))

    def _new(self, name: str, *texts: str | None) -> Any:
        """Construct a throwable from texts."""
        return self._construct(name, [self._text_type] * len(texts), [self._string(each) for each in texts])

    def _construct(self, name: str, types: Sequence[Any], arguments: Sequence[Any]) -> Any:
        """Construct a throwable by the constructor with parameters of these types.

        By reflection: JPype makes some exceptions of the platform that are constructed from Python, such as
        NullPointerException, without an object of Java.
        """
        taken = [each.class_ for each in types]
        return self._machine.type(name).class_.getConstructor(taken).newInstance(arguments)

    def _has(self, name: str, types: Sequence[Any]) -> bool:
        """Return whether there is a class with a public constructor of these parameters."""
        if not self._machine.has(name):
            return False
        taken = [each.class_ for each in types]
        return any(
            list(each.getParameterTypes()) == taken for each in self._machine.type(name).class_.getConstructors()
        )

    def _string(self, text: str | None) -> Any:
        return self._machine.jpype.JObject(text, self._text_type)


def _text(text: Any) -> str | None:
    """Return a text of a throwable; it may quote half a surrogate pair."""
    if text is None:
        return None
    try:
        return str(text)
    except UnicodeDecodeError:
        return "".join(map(chr, text.codePoints().toArray()))


def _stack(throwable: Any) -> str:
    try:
        return str(throwable.stacktrace()).rstrip()
    except UnicodeDecodeError:
        return "(its text cannot be shown)"
