"""`XAResource` of ``javax.transaction.xa``, which is not part of the messaging API and so outside of the rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from tck import api
from tck.adapters.jvm.failures import Failures
from tck.adapters.jvm.wrappers import Wrapper


class Xids(Protocol):
    """The part of the binding that a resource uses: the conversion of Xids and of exceptions."""

    failures: Failures

    def java_xid(self, xid: api.Xid | None) -> Any:
        """Return the Xid of Java for one of the suite."""
        ...

    def python_xid(self, raw: Any) -> api.Xid:
        """Return the value of an Xid of Java."""
        ...


class JvmXAResource(Wrapper, api.XAResource):
    """The wrapper of an XAResource of the provider."""

    __slots__ = ("_binding",)

    def __init__(self, raw: Any, binding: Xids) -> None:
        super().__init__(raw)
        self._binding = binding

    def _call(self, call: Callable[[], Any]) -> Any:
        failures = self._binding.failures
        try:
            return call()
        except failures.throwable as error:
            failure = failures.python(error)
        raise failure

    def start(self, xid: api.Xid | None, flags: int) -> None:
        """Begin work for a branch."""
        self._call(lambda: self.java_.start(self._binding.java_xid(xid), flags))

    def end(self, xid: api.Xid | None, flags: int) -> None:
        """End work for a branch."""
        self._call(lambda: self.java_.end(self._binding.java_xid(xid), flags))

    def prepare(self, xid: api.Xid | None) -> int:
        """Prepare a branch to commit."""
        return int(self._call(lambda: self.java_.prepare(self._binding.java_xid(xid))))

    def commit(self, xid: api.Xid | None, one_phase: bool) -> None:
        """Commit a branch."""
        self._call(lambda: self.java_.commit(self._binding.java_xid(xid), one_phase))

    def rollback(self, xid: api.Xid | None) -> None:
        """Roll a branch back."""
        self._call(lambda: self.java_.rollback(self._binding.java_xid(xid)))

    def recover(self, flags: int) -> Sequence[api.Xid]:
        """List the prepared branches."""
        found = self._call(lambda: self.java_.recover(flags))
        return [self._binding.python_xid(each) for each in found or ()]

    def forget(self, xid: api.Xid | None) -> None:
        """Forget a branch completed heuristically."""
        self._call(lambda: self.java_.forget(self._binding.java_xid(xid)))

    def is_same_rm(self, resource: api.XAResource) -> bool:
        """Return whether another resource is of the same resource manager."""
        other = resource.java_ if isinstance(resource, Wrapper) else resource
        return bool(self._call(lambda: self.java_.isSameRM(other)))

    def get_transaction_timeout(self) -> int:
        """Get the transaction timeout, seconds."""
        return int(self._call(self.java_.getTransactionTimeout))

    def set_transaction_timeout(self, seconds: int) -> bool:
        """Set the transaction timeout, seconds; return whether it was accepted."""
        return bool(self._call(lambda: self.java_.setTransactionTimeout(seconds)))
