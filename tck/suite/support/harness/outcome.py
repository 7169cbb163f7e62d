"""The outcomes with which a test body ends other than by returning: one exception type for each.

Raised by `expect` and by the harness, caught by the plugin alone. All derive from `Ending`, a BaseException, so that no
`except Exception` of a listener or a provider swallows a verdict.
"""

from __future__ import annotations

from collections.abc import Mapping


class Ending(BaseException):
    """The case ends here with an outcome; `str()` is the one-sentence reason.

    Attributes:
        rows: where the outcome is not that of all rows of the case: those it is of, each with its own observation.
    """

    outcome = "error"

    def __init__(
        self,
        observed: str,
        *,
        expected: str = "",
        explanation: str = "",
        cites: tuple[int, ...] = (),
        rows: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(observed)
        self.observed = observed
        self.expected = expected
        self.explanation = explanation
        self.cites = cites
        self.rows = rows


class Broken(Ending):
    """The claim is refuted."""

    outcome = "broken"


class Undecided(Ending):
    """A step that the case needs before it can judge the row did not work: no verdict on the row."""

    outcome = "undecided"


class Unsupported(Ending):
    """The row presumes an optional feature or interface that the profile does not claim."""

    outcome = "unsupported"


class Absent(Ending):
    """A feature that the profile claims is missing at run time."""

    outcome = "absent"


class Observed(Ending):
    """A permitted behaviour of an open row was seen; `observed` names it."""

    outcome = "observed"


class KitFault(Ending):
    """The test itself is wrong, for instance it would pass without a witness."""

    outcome = "error"


class CaseCut(BaseException):
    """The case ran past its deadline; raised asynchronously in the main thread by the watchdog's timer."""
