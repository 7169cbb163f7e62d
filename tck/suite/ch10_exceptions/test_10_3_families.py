"""10.3 Standard exceptions: runtime twins, and types that a provider derives."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.lifecycle.provoked import OF_CLOSED, class_name, own_types, provoked


@asserts("10.3-3", api=("classic", "domain-specific"))
def test_older_interfaces_raise_no_runtime_twins(case: Case) -> None:
    """Methods that declare JMSException raise no exception of the simplified interface."""
    raised = provoked(case)
    twins = {what: class_name(error) for what, error in raised.items() if isinstance(error, api.JMSRuntimeException)}
    expect.true(f"none of the exceptions of {len(raised)} calls is a JMSRuntimeException", not twins, str(twins))


@asserts("10.3-5")
def test_a_type_of_the_providers_own_derives_from_the_prescribed_one(case: Case) -> None:
    """A call on a closed object may raise a type of the provider's own, which derives from JMSException; it is recorded.

    Whether it is the type that the call prescribes is that call's row.
    """
    wanted = case.thrown(api.JMSException)
    own = {what: error for what, error in own_types(provoked(case)).items() if what.endswith(OF_CLOSED)}
    strange = {what: class_name(error) for what, error in own.items() if not isinstance(error, wanted)}
    expect.true(f"types of the provider's own derive from {wanted.__name__}", not strange, str(strange))
    expect.record("derived types" if own else "standard types")
