"""What two messages that should be the same hold differently: kind, headers, properties, body."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from tck.programs.comparing import ambiguous
from tck.programs.comparing.outcomes import AS_SENT
from tck.programs.program import Json

Found: TypeAlias = "tuple[str, str, str, frozenset[str]] | str"
"""What differs, what was expected, what was seen, flags; or the name of the rule that leaves it open."""

OPTIONAL: Final = frozenset(
    {"JMSXUserID", "JMSXAppID", "JMSXProducerTXID", "JMSXConsumerTXID", "JMSXRcvTimestamp", "JMSXState"}
)
"""The JMSX properties that a provider may put on messages; there are no others but those that it must support."""
_REPEATS: Final = frozenset({"JMSRedelivered"})
_UNKNOWN_TIMES: Final = ("never", "some time")
_NULL: Final = ["null", None]
_NO_ID: Final = ("null", "an id", "sent")
_NO_TIME: Final = ("never", "send", "sent", "some time")


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a program as a whole.

    Attributes:
        disabled: Hints to leave out identifiers or timestamps, by send; under None those of any.
        claimed: The optional JMSX properties that the profile claims.
        older: Whether the version is one before 2.0, where JMSXDeliveryCount is optional and messages have no JMSDeliveryTime.
    """

    disabled: Mapping[int | None, frozenset[str]]
    claimed: tuple[str, ...]
    older: bool = False


def contents_of(
    expected: Any, seen: Any, known: Known, *, undecided: bool, failed: bool, again: int
) -> Iterator[Found]:
    """Compare two messages.

    Args:
        expected: The message, or outcome of a send, as the reference provider showed it.
        seen: The same of the other provider.
        known: What is known of the program.
        undecided: Whether it is open how often each was delivered before.
        failed: Whether provider or client failed meanwhile, so that deliveries may be forgotten.
        again: How often a client may have had it before, unseen by its program.
    """
    if expected == seen:
        return
    if not isinstance(expected, dict) or not isinstance(seen, dict):
        yield "value", repr(expected)[:160], repr(seen)[:160], frozenset()
        return
    yield from _callback(expected, seen, known, undecided=undecided, failed=failed, again=again)
    hints = known.disabled.get(expected.get("send"), known.disabled.get(None, frozenset()))
    if "hints" in expected:
        hints = frozenset(expected["hints"])
    sender = frozenset() if "send" in expected else frozenset({"sender"})
    kind = frozenset({str(expected.get("kind"))}) | sender
    if expected.get("kind") != seen.get("kind"):
        yield "kind", str(expected.get("kind")), str(seen.get("kind")), kind
        return
    headers = (expected.get("headers", {}), seen.get("headers", {}))
    yield from _headers(*headers, hints, kind, known, undecided=undecided, again=again)
    found = (expected.get("properties", {}), seen.get("properties", {}))
    yield from _properties(*found, known, kind, undecided=undecided, failed=failed, again=again)
    for name in ("body", "again"):
        ours, theirs = expected.get(name), seen.get(name)
        if name == "again":
            ours, theirs = ambiguous.again(ours, theirs)
        if ours != theirs:
            yield name, _brief(ours), _brief(theirs), kind


def _callback(
    expected: Mapping[str, Json], seen: Mapping[str, Json], known: Known, *, undecided: bool, failed: bool, again: int
) -> Iterator[Found]:
    ours, theirs = expected.get("callback"), seen.get("callback")
    if ours == theirs:
        return
    if ours is None or theirs is None or ours.keys() != theirs.keys():
        yield "callback", _brief(ours), _brief(theirs), frozenset()
    elif "completed" in ours:
        yield from contents_of(
            ours["completed"], theirs["completed"], known, undecided=undecided, failed=failed, again=again
        )
    else:
        yield "callback", _brief(ours), _brief(theirs), frozenset()


def _headers(
    expected: Mapping[str, Json],
    seen: Mapping[str, Json],
    hints: frozenset[str],
    kind: frozenset[str],
    known: Known,
    *,
    undecided: bool,
    again: int,
) -> Iterator[Found]:
    for name, ours in expected.items():
        theirs = seen.get(name)
        if ours == theirs:
            continue
        if ours == ambiguous.OLDER or (known.older and name == "JMSDeliveryTime"):
            yield "version"
        elif _is_disabled(name, ours, theirs, hints) or (name == "JMSCorrelationID" and _unnamed(ours, theirs, known)):
            yield "left out"
        elif name in _REPEATS and undecided:
            yield "again"
        elif name in _REPEATS and again and theirs is True:
            yield "flagged"
        else:
            yield f"header {name}", _brief(ours), _brief(theirs), kind


def _is_disabled(name: str, ours: Json, theirs: Json, hints: frozenset[str]) -> bool:
    """Return whether a provider was asked to leave a header out, and either did or did not."""
    if theirs == AS_SENT:
        return ours in _UNKNOWN_TIMES
    if name == "JMSMessageID":
        return "disable_id" in hints and ours in _NO_ID and theirs in _NO_ID
    return name == "JMSTimestamp" and "disable_time" in hints and ours in _NO_TIME and theirs in _NO_TIME


def _unnamed(ours: Json, theirs: Json, known: Known) -> bool:
    """Return whether one provider shows the identifier of a message which it was asked to leave out, and the other none."""
    if _NULL not in (ours, theirs):
        return False
    ids = {f"the id of send {number}" for number, hints in known.disabled.items() if "disable_id" in hints}
    return any(isinstance(each, str) and each in ids for each in (ours, theirs))


def _properties(
    expected: Any, seen: Any, known: Known, kind: frozenset[str], *, undecided: bool, failed: bool, again: int
) -> Iterator[Found]:
    if expected == seen:
        return
    if "raises" in expected or "raises" in seen:
        yield "property", _brief(expected), _brief(seen), kind
        return
    for name in sorted({*expected, *seen}):
        ours, theirs = expected.get(name), seen.get(name)
        if ours == theirs:
            continue
        if name.startswith("JMS_") or (name in OPTIONAL and name not in known.claimed):
            yield "vendor"
        elif name == ambiguous.COUNT and known.older and ours is None and "sender" not in kind:
            yield "version"
        elif name == ambiguous.COUNT and undecided:
            yield "again"
        elif name == ambiguous.COUNT and failed and isinstance(theirs, list):
            yield "count"
        elif name == ambiguous.COUNT and _more(ours, theirs, 1 + again):
            yield "flagged"
        else:
            yield f"property {name}", _brief(ours), _brief(theirs), kind


def _more(ours: Json, theirs: Json, most: int) -> bool:
    """Return whether a count is higher than expected, but not higher than it can be."""
    return (
        isinstance(ours, list)
        and isinstance(theirs, list)
        and theirs[0] == "int"
        and bool(ours[1] < theirs[1] <= max(most, 1))
    )


def _brief(value: Json) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:197]}..."


def first_difference(expected: Json, seen: Json, path: tuple[str, ...] = ()) -> tuple[tuple[str, ...], Json, Json]:
    """Return the first place at which two values of one shape differ, and both values there."""
    if isinstance(expected, dict) and isinstance(seen, dict) and expected.keys() == seen.keys():
        for key, ours in expected.items():
            if ours != seen[key]:
                return first_difference(ours, seen[key], (*path, str(key)))
    if isinstance(expected, list) and isinstance(seen, list) and len(expected) == len(seen):
        for at, (ours, theirs) in enumerate(zip(expected, seen, strict=True)):
            if ours != theirs and isinstance(ours, (dict, list)):
                return first_difference(ours, theirs, (*path, str(at)))
    return path, expected, seen
