"""Faults of a file in bytes messages."""

from faults.kit import *

LARGE = 64 * 1024


@saboteur(
    "pj-file-transfer-1",
    "one byte of a bytes body of 64 KiB or more is lost, and a zero takes its place",
    by=as_received,
)
def _(message, _):
    if isinstance(message, ReferenceBytesMessage) and len(message._data) >= LARGE:
        message._data = message._data[: LARGE - 1] + b"\0" + message._data[LARGE:]


@saboteur(
    "pj-file-transfer-2",
    "readBytes signals the end of a body with 0 once it has given a short count",
    around=(ReferenceBytesMessage, "read_bytes"),
)
def _(original, message, *arguments):
    return max(original(message, *arguments), 0)


@saboteur("pj-file-transfer-3", "getBodyLength of a body that has been read gives the number of unread bytes")
def _(patch):
    original = vars(ReferenceBytesMessage)["body_length"]

    def body_length(message):
        return int(original.fget(message)) - message._position

    patch.replace(ReferenceBytesMessage, "body_length", property(body_length))
