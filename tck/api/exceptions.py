"""The exceptions of the messaging API and those Java exceptions that its specification names.

    Exception
     +-- JMSException                               checked in Java; the classic API raises it
     |    +-- IllegalStateException
     |    +-- InvalidClientIDException
     |    +-- InvalidDestinationException
     |    +-- InvalidSelectorException
     |    +-- JMSSecurityException
     |    +-- MessageEOFException
     |    +-- MessageFormatException
     |    +-- MessageNotReadableException
     |    +-- MessageNotWriteableException
     |    +-- ResourceAllocationException
     |    +-- TransactionInProgressException
     |    +-- TransactionRolledBackException
     +-- RuntimeError
     |    +-- JMSRuntimeException                   unchecked in Java; the simplified API raises it
     |         +-- IllegalStateRuntimeException
     |         +-- InvalidClientIDRuntimeException
     |         +-- InvalidDestinationRuntimeException
     |         +-- InvalidSelectorRuntimeException
     |         +-- JMSSecurityRuntimeException
     |         +-- MessageFormatRuntimeException
     |         +-- MessageNotWriteableRuntimeException
     |         +-- ResourceAllocationRuntimeException
     |         +-- TransactionInProgressRuntimeException
     |         +-- TransactionRolledBackRuntimeException
     +-- JavaException                              of the Java platform, not of the messaging API
          +-- IllegalArgumentException              also a ValueError
          |    +-- NumberFormatException
          +-- IndexOutOfBoundsException             also an IndexError
          +-- JavaIllegalStateException             also a RuntimeError; java.lang.IllegalStateException
          +-- NullPointerException                  also a TypeError
          +-- UnsupportedOperationException         also a NotImplementedError
          +-- XAException                           javax.transaction.xa

The three trees are apart: catching `JMSException` or `JMSRuntimeException` never catches a Java exception, nor the
reverse, and the `IllegalStateException` here is the messaging API's own. A provider raises these types (or its own
subclasses) and no others on purpose; any other exception out of a provider is a fault of the adapter or the provider,
not an answer.
"""

# ruff: noqa: N818 - the names are Java's

from __future__ import annotations

from typing import ClassVar, Final

from tck.api.values import OMITTED, Omitted

__all__ = [
    "IllegalArgumentException",
    "IllegalStateException",
    "IllegalStateRuntimeException",
    "IndexOutOfBoundsException",
    "InvalidClientIDException",
    "InvalidClientIDRuntimeException",
    "InvalidDestinationException",
    "InvalidDestinationRuntimeException",
    "InvalidSelectorException",
    "InvalidSelectorRuntimeException",
    "JMSException",
    "JMSRuntimeException",
    "JMSSecurityException",
    "JMSSecurityRuntimeException",
    "JavaException",
    "JavaIllegalStateException",
    "MessageEOFException",
    "MessageFormatException",
    "MessageFormatRuntimeException",
    "MessageNotReadableException",
    "MessageNotWriteableException",
    "MessageNotWriteableRuntimeException",
    "NullPointerException",
    "NumberFormatException",
    "ResourceAllocationException",
    "ResourceAllocationRuntimeException",
    "TransactionInProgressException",
    "TransactionInProgressRuntimeException",
    "TransactionRolledBackException",
    "TransactionRolledBackRuntimeException",
    "UnsupportedOperationException",
    "XAException",
]


class JMSException(Exception):
    """Report a failure through the classic API; the root of its exceptions (10.2-1).

    Args:
        reason: What went wrong, in the provider's words; ``str()`` of the exception.
        error_code: The provider's own code, or None.
        cause: The exception behind this one, as `linked_exception` and ``__cause__`` (10.2-7). Given only together with
            `error_code`, which may be None.

    Attributes:
        java_name: The class of an exception that came out of Java, which may be one of the provider's own (10.3-5); else empty.
    """

    java_name: str = ""

    def __init__(
        self,
        reason: str | None,
        error_code: str | Omitted | None = OMITTED,
        cause: BaseException | Omitted | None = OMITTED,
    ) -> None:
        super().__init__(reason)
        _check_arguments(type(self), error_code, cause)
        self._error_code = None if error_code is OMITTED else error_code
        self._linked_exception = None if cause is OMITTED else cause
        if self._linked_exception is not None:
            self.__cause__ = self._linked_exception

    def __str__(self) -> str:
        return self.reason or ""

    @property
    def reason(self) -> str | None:
        """Give the description the exception was made with (Java's ``getMessage``)."""
        return self.args[0] if self.args else None

    @property
    def error_code(self) -> str | None:
        """Give the provider's own error code, None if it set none (10.2-6, 10.2-10)."""
        return self._error_code

    @property
    def linked_exception(self) -> BaseException | None:
        """Give or set the exception that lies behind this one, None if there is none (10.2-11).

        Setting it also sets ``__cause__``, unless there is one already.
        """
        return self._linked_exception

    @linked_exception.setter
    def linked_exception(self, exception: BaseException | None) -> None:
        self._linked_exception = exception
        if self.__cause__ is None and exception is not None:
            self.__cause__ = exception


class JMSRuntimeException(RuntimeError):
    """Report a failure through the simplified API; the root of its exceptions (10.2-2).

    Args:
        reason: What went wrong, in the provider's words; ``str()`` of the exception.
        error_code: The provider's own code, or None.
        cause: The exception behind this one, as ``__cause__`` (10.2-13). Given only together with `error_code`, which
            may be None.

    Attributes:
        java_name: As for `JMSException`.
    """

    java_name: str = ""

    def __init__(
        self,
        reason: str | None,
        error_code: str | Omitted | None = OMITTED,
        cause: BaseException | Omitted | None = OMITTED,
    ) -> None:
        super().__init__(reason)
        _check_arguments(type(self), error_code, cause)
        self._error_code = None if error_code is OMITTED else error_code
        if cause is not OMITTED and cause is not None:
            self.__cause__ = cause

    def __str__(self) -> str:
        return self.reason or ""

    @property
    def reason(self) -> str | None:
        """Give the description the exception was made with (Java's ``getMessage``)."""
        return self.args[0] if self.args else None

    @property
    def error_code(self) -> str | None:
        """Give the provider's own error code, None if it set none (10.2-6, 10.2-10)."""
        return self._error_code


def _check_arguments(kind: type[BaseException], error_code: object, cause: object) -> None:
    if error_code is OMITTED and cause is not OMITTED:
        raise TypeError(f"{kind.__name__}(reason, cause=...) is no constructor: give error_code too (None for none)")


class IllegalStateException(JMSException):
    """Report a call at a time when it is not allowed, such as one on a closed session (10.3-14)."""


class InvalidClientIDException(JMSException):
    """Report a client identifier that the provider refuses, such as one already in use (10.3-19)."""


class InvalidDestinationException(JMSException):
    """Report a destination the provider does not understand, or one that is gone (10.3-21, 10.3-23)."""


class InvalidSelectorException(JMSException):
    """Report a message selector with wrong syntax (10.3-25)."""


class JMSSecurityException(JMSException):
    """Report a user name or password refused, or a call the user has no right to (10.3-15, 10.3-18)."""


class MessageEOFException(JMSException):
    """Report a read past the end of a stream or bytes message (10.3-27, 10.3-28)."""


class MessageFormatException(JMSException):
    """Report a value of a type a message cannot carry, or a conversion it does not allow (10.3-29 to 10.3-34)."""


class MessageNotReadableException(JMSException):
    """Report a read of a message body in write-only mode (10.3-39, 10.3-40)."""


class MessageNotWriteableException(JMSException):
    """Report a write to properties or a body in read-only mode (10.3-41, 10.3-42)."""


class ResourceAllocationException(JMSException):
    """Report that the provider could not get a resource the call needs (10.3-44)."""


class TransactionInProgressException(JMSException):
    """Report a call that is not allowed while a transaction is in progress, such as commit within a distributed one (10.3-46)."""


class TransactionRolledBackException(JMSException):
    """Report a commit that ended in a rollback (10.3-48)."""


class IllegalStateRuntimeException(JMSRuntimeException):
    """Report a call at a time when it is not allowed, such as one on a closed context."""


class InvalidClientIDRuntimeException(JMSRuntimeException):
    """Report a client identifier that the provider refuses, such as one already in use (10.3-20)."""


class InvalidDestinationRuntimeException(JMSRuntimeException):
    """Report a destination the provider does not understand, or one that is gone (10.3-22, 10.3-24)."""


class InvalidSelectorRuntimeException(JMSRuntimeException):
    """Report a message selector with wrong syntax (10.3-26)."""


class JMSSecurityRuntimeException(JMSRuntimeException):
    """Report a user name or password refused, or a call the user has no right to (10.3-17)."""


class MessageFormatRuntimeException(JMSRuntimeException):
    """Report a value of a type a message cannot carry, or a body that is not of the type asked for (10.3-35 to 10.3-37)."""


class MessageNotWriteableRuntimeException(JMSRuntimeException):
    """Report an attempt to set a property on a message in read-only mode while sending it (10.3-43)."""


class ResourceAllocationRuntimeException(JMSRuntimeException):
    """Report that the provider could not get a resource the call needs (10.3-45)."""


class TransactionInProgressRuntimeException(JMSRuntimeException):
    """Report a call that is not allowed while a transaction is in progress (10.3-47)."""


class TransactionRolledBackRuntimeException(JMSRuntimeException):
    """Report a commit that ended in a rollback (10.3-49)."""


class JavaException(Exception):
    """Be the root of those exceptions of the Java platform that the specification names; `java_name` says which.

    Attributes:
        java_name: The class in Java.
        checked: Whether Java makes a method declare it.
    """

    java_name: ClassVar[str] = "java.lang.Exception"
    checked: ClassVar[bool] = True


class IllegalArgumentException(JavaException, ValueError):
    """Report an argument Java calls illegal, such as a property name of length 0."""

    java_name = "java.lang.IllegalArgumentException"
    checked = False


class NumberFormatException(IllegalArgumentException):
    """Report a text that is no number, met by a conversion from String (10.3-38)."""

    java_name = "java.lang.NumberFormatException"


class NullPointerException(JavaException, TypeError):
    """Report a null where a value is needed."""

    java_name = "java.lang.NullPointerException"
    checked = False


class IndexOutOfBoundsException(JavaException, IndexError):
    """Report an offset or length outside of an array."""

    java_name = "java.lang.IndexOutOfBoundsException"
    checked = False


class UnsupportedOperationException(JavaException, NotImplementedError):
    """Report a call that this provider, or this hook of its adapter, does not support."""

    java_name = "java.lang.UnsupportedOperationException"
    checked = False


class JavaIllegalStateException(JavaException, RuntimeError):
    """Report ``java.lang.IllegalStateException``; unrelated to the messaging API's `IllegalStateException`."""

    java_name = "java.lang.IllegalStateException"
    checked = False


class XAException(JavaException):
    """Report what a resource manager answers to a transaction manager when it cannot do as asked.

    Args:
        error_code: One of the constants below; positive: an outcome to act upon, negative: an error.
        reason: What went wrong, for a reader.
    """

    java_name = "javax.transaction.xa.XAException"

    XA_RBBASE: Final = 100
    XA_RBROLLBACK: Final = 100
    XA_RBCOMMFAIL: Final = 101
    XA_RBDEADLOCK: Final = 102
    XA_RBINTEGRITY: Final = 103
    XA_RBOTHER: Final = 104
    XA_RBPROTO: Final = 105
    XA_RBTIMEOUT: Final = 106
    XA_RBTRANSIENT: Final = 107
    XA_RBEND: Final = 107
    XA_NOMIGRATE: Final = 9
    XA_HEURHAZ: Final = 8
    XA_HEURCOM: Final = 7
    XA_HEURRB: Final = 6
    XA_HEURMIX: Final = 5
    XA_RETRY: Final = 4
    XA_RDONLY: Final = 3
    XAER_ASYNC: Final = -2
    XAER_RMERR: Final = -3
    XAER_NOTA: Final = -4
    XAER_INVAL: Final = -5
    XAER_PROTO: Final = -6
    XAER_RMFAIL: Final = -7
    XAER_DUPID: Final = -8
    XAER_OUTSIDE: Final = -9

    def __init__(self, error_code: int = 0, reason: str | None = None) -> None:
        super().__init__(error_code, reason)

    def __str__(self) -> str:
        text = f"XA error {self.error_code}"
        return f"{text}: {self.reason}" if self.reason else text

    @property
    def error_code(self) -> int:
        """Give the code, one of the constants of this class."""
        return int(self.args[0])

    @property
    def reason(self) -> str | None:
        """Give the text for a reader, None if there is none."""
        text: str | None = self.args[1]
        return text


class SettingsError(IllegalArgumentException):
    """Raised by `open_provider` for an unknown or unusable setting: the run ends with exit code 4, and with its text."""
