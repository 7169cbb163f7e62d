"""Faults of a salesperson's orders."""

import copy

from faults.kit import *

LARGE = 10


@saboteur(
    "pj-field-sales-1",
    "a transaction of ten messages or more sends its second message after the third",
    by=before_commit,
)
def _(session):
    sends = session.state.work.sends
    if len(sends) >= LARGE:
        sends[1], sends[2] = sends[2], sends[1]


@saboteur("pj-field-sales-2", "a transaction of ten messages or more sends its last message twice", by=before_commit)
def _(session):
    sends = session.state.work.sends
    if len(sends) >= LARGE:
        physical, entry = sends[-1]
        sends.append((physical, copy.copy(entry)))
