"""10.2 The two families of exceptions, and which interfaces raise which."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.lifecycle.provoked import class_name, own_types, provoked

OLDER = ("classic", "domain-specific")


def _unchecked(error: Exception) -> bool:
    """Return whether Java lets a method raise an exception that it does not declare."""
    return isinstance(error, api.JMSRuntimeException) or (isinstance(error, api.JavaException) and not error.checked)


@asserts("10.2-1", "10.2-4", api=OLDER)
def test_older_interfaces_raise_checked_exceptions_of_one_family(case: Case) -> None:
    """Each error of the older interfaces is reported by a checked exception, and each of these is a JMSException."""
    raised = provoked(case)
    unchecked = {what: class_name(error) for what, error in raised.items() if _unchecked(error)}
    checked = {what: error for what, error in raised.items() if what not in unchecked}
    strange = {what: class_name(error) for what, error in checked.items() if not isinstance(error, api.JMSException)}
    with expect.all_of():
        for row, of, wrong in (("10.2-1", "checked and no JMSException", strange), ("10.2-4", "unchecked", unchecked)):
            with expect.for_row(row):
                expect.true(f"none of the exceptions of {len(raised)} calls is {of}", not wrong, str(wrong))


@asserts("10.2-2")
def test_the_simplified_interface_raises_runtime_exceptions_of_one_family(case: Case) -> None:
    """Each error of the simplified interface is a JMSRuntimeException."""
    raised = provoked(case)
    wrong = {
        what: class_name(error) for what, error in raised.items() if not isinstance(error, api.JMSRuntimeException)
    }
    expect.true(f"{len(raised)} errors are reported by JMSRuntimeExceptions", not wrong, str(wrong))


@asserts("10.2-8")
def test_a_provider_may_raise_types_of_its_own(case: Case) -> None:
    """A type of the provider's own belongs to the family of the interface; whether there is one is recorded."""
    family = case.thrown(api.JMSException)
    own = own_types(provoked(case))
    strange = {what: class_name(error) for what, error in own.items() if not isinstance(error, family)}
    expect.true(f"types of the provider's own derive from {family.__name__}", not strange, str(strange))
    expect.record("types of its own" if own else "standard types")
