"""Providers that are lawful and other than this one: the counterpart of saboteurs.

Each does otherwise than a SHOULD advises, or makes use of what a MAY permits: everywhere (`lawful/NAME`), and in one
circumstance (`lawful/NAME/at-times`). It breaks no obligation, so no check may find a MUST row broken: whoever does, accuses
a provider wrongly. Each SHOULD and MAY row has such a provider, or stands in `rows_without` with the reason.
"""

from reference_provider.saboteurs.lawful.registry import Lawful, all_lawful
from reference_provider.saboteurs.lawful.rows_without import ROWS_WITHOUT

__all__ = ["ROWS_WITHOUT", "Lawful", "all_lawful"]
