"""Faults of single sends; see `tck.check.properties.send`."""

from faults.kit import *


@breaks("expiration-computed", by=after_send)
def _(sender, message, entry, options):
    if entry.expiration:
        entry.expiration += 40
        message.jms_expiration = entry.expiration
