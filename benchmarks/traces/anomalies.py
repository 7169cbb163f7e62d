"""One mutation of a clean trace per property: a fault of a provider, and the finding that must name it.

Each edit chooses a fitting row, breaks exactly one thing, and names the expected finding. Some faults break a second
property too (a message that went elsewhere is lost here): such properties are named as consequences.
"""

from __future__ import annotations

from typing import Final

from benchmarks.traces import anomalies_delivery, anomalies_outcome, anomalies_session

ANOMALIES: Final = (*anomalies_session.ANOMALIES, *anomalies_delivery.ANOMALIES, *anomalies_outcome.ANOMALIES)
"""Every anomaly, at least one for each property."""
