"""Plans of load: no property of traces is violated when many act at once, or in great amounts."""

from tck.suite.support import Case, asserts
from tck.suite.support.plans import performed, variants


@asserts("plans-1", variants=variants())
def test_a_plan_of_load(case: Case) -> None:
    """Calls and deliveries of a plan, driven for a few seconds, violate no property of traces.

    Each property that they violate breaks the rows that it is about. `docs/workload.md` describes the plans.
    """
    performed(case)
