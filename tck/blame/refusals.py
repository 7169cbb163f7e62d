"""The calls of a case that has ended: whose an exception is, and which legal calls the provider refused or never returned from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from tck import api
from tck.adapters.recording import OpenCall, Recorder
from tck.blame.causes import Cause, Kind
from tck.catalogue import Assertion, Catalogue
from tck.catalogue.owners import load_call_owners
from tck.profile import Claims
from tck.profile.model import Disclaimed
from tck.suite.support.case import Case
from tck.suite.support.company import Company
from tck.suite.support.company.calls import BREAKING
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.harness.running import Elsewhere
from tck.suite.support.lifetimes import EXCUSED as NEVER_BLAMED

NO_METHOD = "java.lang.NoSuchMethodError"
"""What Java raises for a call of a method that the API of the provider's jars does not have."""
LACKING = frozenset({NO_METHOD, "java.lang.UnsupportedOperationException", "java.lang.AbstractMethodError"})
"""What Java raises for a call that is not implemented."""

MAKERS = frozenset({"Provider.create_queue", "Provider.create_topic"})
"""Calls of the adapter that every case needs, and that no row is about."""
JUDGED = (api.JMSException, api.JMSRuntimeException, api.JavaException, api.UnsupportedOperationException)
"""Exceptions that are the provider's word; others are the adapter's fault."""

EXCUSED = (*NEVER_BLAMED, api.InvalidSelectorException, api.InvalidSelectorRuntimeException)
"""Refusals that a legal call may meet, or that blame something else than the call, as the selector."""

GIVING: Final = re.compile(r"\w*Message\.(set|write)_")
"""Calls that give a message a value."""


class Source(Enum):
    """The origin of an exception that ended a case."""

    PROVIDER = "a call of the provider"
    ABSENT = "a call that the provider does not implement"
    KIT = "the kit or the adapter"


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What the end of a case is judged by.

    Attributes:
        case: The case.
        recorder: Its calls.
        company: Its bystander, and the traces of its refused calls.
        catalogue: The rows.
    """

    case: Case
    recorder: Recorder
    company: Company
    catalogue: Catalogue

    @property
    def claims(self) -> Claims:
        """What the profile claims."""
        return self.case.profile.claims

    def cause(self, kind: Kind, found: Elsewhere) -> Cause:
        """Return what was found as a cause."""
        return Cause(kind, self.catalogue[found.row], found.call, found.text)

    def judges(self, row: str) -> bool:
        """Return whether a row, by its id, is about this provider: by the version and the features that it claims."""
        found = self.catalogue[row]
        return found.applies_to(self.case.version) and self._claims(found)

    def call_of(self, error: BaseException) -> str | None:
        """Return the provider's call that raised the exception which ended a case, or which left it undecided."""
        error = _met(error)
        return self.recorder.call_of(error) if isinstance(error, Exception) else None

    def source(self, error: BaseException) -> Source:
        """Return the origin of an exception that ended a case, or of the one that left it undecided."""
        error = _met(error)
        if not isinstance(error, Exception) or not self.recorder.raised(error):
            return Source.KIT
        if self.recorder.call_of(error) in MAKERS and not isinstance(error, JUDGED):
            return Source.KIT
        if isinstance(error, api.JavaException) and error.java_name in LACKING:
            call = self._owned(error)
            prescribed = call.endswith((".send", ".publish")) and not call.startswith("JMSProducer.")  # 7.1-3, 7.1-4
            hook = call.startswith("Provider.") and not call.endswith("_factory")  # one may be missing
            if not hook and (error.java_name == NO_METHOD or not prescribed):
                return Source.ABSENT
        return Source.PROVIDER

    def lacking(self, error: BaseException) -> str | None:
        """Return the call that the provider lacks, as owners name it, where an exception shows that: that of a missing call, or
        any that a disclaimed one raised. None for other exceptions.
        """
        source = self.source(error)
        if source is Source.KIT:
            return None
        call = self._owned(_met(error))
        return call if source is Source.ABSENT or self.disclaimed(error) else None

    def disclaimed(self, error: BaseException) -> Disclaimed | None:
        """Return the part that the profile claims to be without and that has the call which raised an exception, or this use of it."""
        call = self._owned(error := _met(error))
        return self.claims.disclaimed(call) or self.claims.disclaimed(used(call, self.recorder.passed_to(error)))

    def refused(self, errors: Iterable[BaseException | None]) -> list[Cause]:
        """Return the legal calls that the provider refused with these errors, with the rows that own the calls.

        A case plans no exception that reaches its end, so the call was legal there. Nobody is blamed in a case that has broken
        links or stopped the provider, nor for a refusal that depends on rights or resources.
        """
        found, disturbed = [], self.recorder.called(BREAKING)
        for error in errors:
            if error is None or isinstance(error, EXCUSED):
                continue
            source = self.source(error)
            if source is Source.KIT or (disturbed and source is not Source.ABSENT):
                continue
            call = self._owned(error)
            owner = None if self.disclaimed(error) else self._owner(call)
            if owner is not None:
                found.append(Cause(Kind.REFUSED, owner, call, f"{call} raised {type(error).__name__}: {error}"))
        return found

    def open_calls(self) -> list[str]:
        """Return the provider's calls that have not returned, for a case that was cut."""
        return [str(call) for call in self.recorder.open_calls()]

    def hung(self) -> list[Cause]:
        """Return the call that hung in a case that was cut, with the row that owns it; none where another may have caused it.

        Nobody is blamed in a case that has broken links or stopped the provider, while a listener of the suite runs or another
        call is open, which the first may wait for. A receive without limit ends when a message comes, so that it hangs concerns
        the cases of its own row only.
        """
        recorder = self.recorder
        if recorder.called(BREAKING) or recorder.listening():
            return []
        calls = recorder.open_calls()
        bounded = [call for call in calls if not without_limit(call)] or calls
        if len(bounded) != 1 or within_limit(bounded[0], recorder.clock):
            return []
        (call,) = bounded
        name = overload(call.op, call.arguments)
        owner = self._owner(name)
        if owner is None or (without_limit(call) and owner.id not in self.case.point.assertions):
            return []
        return [Cause(Kind.HUNG, owner, name, f"still open: {call}")]

    def hung_at_adapter(self) -> str | None:
        """Return the message about a case that was cut in the adapter's own calls, which judge nobody; else None."""
        calls, owners = self.recorder.open_calls(), load_call_owners()
        owned = [not each.op.startswith("Provider.") or owners.of(each.op, self.case.version) for each in calls]
        if not calls or any(owned):
            return None
        return f"the adapter did not return from a call in time: {', '.join(map(str, calls))}"

    def _owned(self, error: BaseException) -> str:
        """Return the call that raised an exception, as owners name it."""
        return overload(self.recorder.call_of(error) or "", self.recorder.passed_to(error))

    def _owner(self, call: str) -> Assertion | None:
        """Return the row that owns a call, if the provider claims its features."""
        owner = load_call_owners().of(call, self.case.version)
        return self.catalogue[owner] if owner is not None and self._claims(self.catalogue[owner]) else None

    def _claims(self, row: Assertion) -> bool:
        return self.claims.features.issuperset(row.features)


def _met(error: BaseException) -> BaseException:
    return error.__cause__ if isinstance(error, Undecided) and error.__cause__ is not None else error


def overload(call: str, arguments: Iterable[object]) -> str:
    """Return the name by which owners know a call: a send with a listener has one of its own, and so has giving a message null."""
    passed = tuple(arguments)
    if call.endswith((".send", ".publish")) and any(isinstance(each, api.CompletionListener) for each in passed):
        return f"{call}(CompletionListener)"
    giving = GIVING.match(call)
    value = passed[1:2] if giving and giving[1] == "set" else passed[:1]  # a name comes first
    return f"{call}(null)" if giving and value == (None,) else call


def without_limit(call: OpenCall) -> bool:
    """Return whether a call may wait for ever: a receive without timeout, or one of a requestor."""
    if call.op.endswith("Requestor.request"):
        return True
    if not call.op.endswith((".receive", ".receive_body")):
        return False
    return not any(type(each) is int and each > 0 for each in call.arguments)


def within_limit(call: OpenCall, clock: api.Clock) -> bool:
    """Return whether a receive may still wait since its timeout has not passed, on a real clock: so long it does not hang."""
    limit = max((each for each in call.arguments if type(each) is int), default=0) * 1_000_000
    receives = call.op.endswith((".receive", ".receive_body"))
    return receives and not clock.virtual and clock.monotonic_ns() - call.since_ns < limit


def used(call: str, arguments: Iterable[object]) -> str:
    """Return the name by which a profile disclaims one use of a call: `(transacted)` sessions, consumers with a `(selector)`."""
    passed = tuple(arguments)
    if call.endswith("session") and passed and (passed[0] is True or passed[1:2] == (api.Session.SESSION_TRANSACTED,)):
        return f"{call}(transacted)"
    selects = call.endswith((".create_consumer", ".create_receiver")) and len(passed) > 1
    return f"{call}(selector)" if selects and isinstance(passed[1], str) else call
