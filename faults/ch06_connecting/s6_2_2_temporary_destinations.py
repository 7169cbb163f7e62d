"""Faults in 6.2.2: temporary destinations of both domains."""

import itertools
from collections import defaultdict

from faults.kit import *


@saboteur("6.2.2-6", "the names of temporary destinations begin anew after forty")
def _(patch):
    numbers = defaultdict(itertools.count)

    def unique_name(original, broker, prefix):
        if not prefix.startswith("temporary"):
            return original(broker, prefix)
        return f"{prefix}{broker.instance}-{next(numbers[broker, prefix]) % 40}"

    patch.at(fault_points.NAME_MADE, unique_name)


@saboteur("6.2.2-9", "temporary destinations of a long-lived connection pile up")
def _(patch):
    patch.at(fault_points.TEMPORARY_SWEPT, lambda original, temporaries: temporaries._dropped.clear())
