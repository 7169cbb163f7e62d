"""Faults in 7.4: delivery options of asynchronous sends."""

from dataclasses import replace

from faults.kit import *


@saboteur("7.4-9", "an asynchronous send ignores a time to live of its own", at=fault_points.SENT_ASYNCHRONOUSLY)
def _(original, producer, message, target, options, *others):
    original(producer, message, target, replace(options, time_to_live=producer.time_to_live), *others)
