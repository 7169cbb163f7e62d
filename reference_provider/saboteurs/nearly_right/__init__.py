"""Providers that are nearly right: each fails under one circumstance only, as real ones do.

A saboteur breaks its row wherever the row applies. These providers keep all rows most of the time, so a suite that tests each
obligation once, in the simplest way, passes them. `rows` names the rows whose cases must notice; one of them is enough.

`own` holds those that the authors of the suite wrote; one that breaks a row in some situation only stands beside the saboteur of
that row, which breaks it wherever it applies. Each `red_...` module holds a red round: faults written by somebody
who had not seen the suite.
"""

from reference_provider.saboteurs.nearly_right.registry import NearlyRight, all_nearly_right, nearly_right

__all__ = ["NearlyRight", "all_nearly_right", "nearly_right"]
