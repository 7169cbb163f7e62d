"""The comparison of what was seen with what was sent, and how it is shown."""

from __future__ import annotations

from tck.suite.support.journeys.manifest import Sent
from tck.suite.support.values.properties import comparable
from tck.suite.support.values.seen import tried


def same(seen: object, wanted: object) -> bool:
    """Return whether two values are equal, and both or none of them a boolean."""
    return bool(seen == wanted) and isinstance(seen, bool) is isinstance(wanted, bool)


def unlike(seen: object, wanted: object) -> bool:
    """Return whether a value arrived in another type."""
    return seen is not None and wanted is not None and type(seen) is not type(wanted) and not _raised(seen)


def _raised(seen: object) -> bool:
    return isinstance(seen, str) and seen.startswith("raises ")


def at_its_end(body: object) -> bool:
    """Return whether a body was not read from its first value on: nothing of it is left."""
    first = next(iter(body.values()), "") if isinstance(body, dict) else ""
    return body == b"" or str(first).startswith("raises MessageEOF")


def short(value: object) -> str:
    """Return the text of a value, cut in its middle where it is long."""
    text = repr(value)
    return text if len(text) < 160 else f"{text[:100]} ... {text[-40:]}"


def as_returned(sent: Sent) -> object:
    """Return the body that receiveBody must return for a message."""
    if sent.load is None:
        return tried(lambda: sent.message.text)
    if sent.load.kind == "map":
        return {name.partition(" ")[0]: value for name, value in dict(sent.load.wanted_body()).items()}  # type: ignore[call-overload]
    return sent.load.body


def comparable_body(body: object) -> object:
    """Return a body that receiveBody returned, in the form of `as_returned`."""
    if isinstance(body, dict) and all(str(name).startswith("e") for name in body):
        return {name[1:]: comparable(value) for name, value in body.items()}
    return bytes(body) if isinstance(body, bytearray) else body
