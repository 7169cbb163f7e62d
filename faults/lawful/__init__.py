"""Providers that are lawful and other than the reference provider: the counterpart of saboteurs.

Each does otherwise than a SHOULD advises, or makes use of what a MAY permits: everywhere (`lawful/NAME`), and in one
circumstance (`lawful/NAME/at-times`). It breaks no obligation, so no check may find a MUST row broken: whoever does, accuses
a provider wrongly. Each SHOULD and MAY row has such a provider, or stands in `rows_without` with the reason.
"""
