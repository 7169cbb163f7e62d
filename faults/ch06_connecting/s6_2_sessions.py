"""Faults in 6.2: sessions."""

from faults.kit import *

saboteur(
    "6.2.15-23",
    "acknowledge() does nothing after the session is closed",
    lambda patch: acknowledge_ignored(patch, connection_closed=False),
)
