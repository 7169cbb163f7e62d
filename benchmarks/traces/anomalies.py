"""One mutation of a clean trace per property: what a provider could do wrong, and the finding that must name it.

Each edit chooses a row that fits, breaks exactly one thing, and says which finding is due. Some faults cannot help
breaking a second property (a message that went elsewhere is lost here): these are named as consequences.
"""

from __future__ import annotations

from typing import Final

from benchmarks.traces import anomalies_delivery, anomalies_outcome, anomalies_session

ANOMALIES: Final = (*anomalies_session.ANOMALIES, *anomalies_delivery.ANOMALIES, *anomalies_outcome.ANOMALIES)
"""Every anomaly, at least one for each property."""
