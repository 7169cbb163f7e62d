"""Judge traces: order, duplicates, loss, expiry, transactions and subscriptions, as calls and deliveries show them.

Every property is defined once, as a function over columns (numpy arrays). `judge_events` judges the events of one case;
`stages.session`, `stages.message` and `stages.across` judge columns of any size, in pieces if need be. Importing this
package does not load numpy; the first judgement does.

Imports nothing of ours outside this package, and never the provider: the caller provides the answers of a selector
evaluator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tck.check.results import Finding, Margins, PropertyResult

__all__ = ["Finding", "Margins", "PropertyResult", "judge_events", "property_names"]


def judge_events(
    events: Iterable[Mapping[str, Any]],
    *,
    properties: Sequence[str] | None = None,
    margins: Margins | None = None,
    matches: Callable[[str, Mapping[str, Any]], bool | None] | None = None,
) -> list[PropertyResult]:
    """Judge the recorded events of one case.

    Args:
        events: In order of their numbers, as the recorder returns them.
        properties: Names of the properties to judge, all if None; the results have this order.
        margins: The margins, from the profile's timing.
        matches: Whether a selector (its text) accepts a message (its facts), None if unknown. Without it properties about
            selectors are undecided.

    Raises:
        KeyError: there is no property of that name; the message lists them all.
    """
    from tck.check.judge import judge_case  # noqa: PLC0415 - numpy is loaded with the first trace

    return judge_case(events, properties, margins or Margins(), matches)


def property_names() -> tuple[str, ...]:
    """Return the name of every property."""
    from tck.check.properties import PROPERTIES  # noqa: PLC0415 - numpy is loaded with the first question

    return tuple(PROPERTIES)
