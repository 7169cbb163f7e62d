"""Turn recorded values into safe text: no text of a provider can hide, reorder or break a page.

Escaping for HTML, XML and terminals happens where those are written. Imports nothing of ours.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from typing import Any

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, apart from tab and newline
    "\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\uffff"  # invisible, reordering
    "\ud800-\udfff"  # lone surrogates, which no file can hold
    "\U000e0000-\U000e0fff]"  # tags and variation selectors
)
_LABEL = re.compile(
    r"(?:(?:temporary-)?(?:queue|topic):\S.*"
    r"|(?:[a-z]+-)*(?:connection|session|context|producer|consumer|browser|message|subscription|listener|factory)-\d+)\Z",
    re.DOTALL,
)


def visible(text: str) -> str:
    r"""Replace each character that is invisible, reorders its neighbours or is illegal in a page by its escape sequence.

    A right-to-left override becomes the six letters `\u202e`, a NUL becomes `\x00`. Tab and newline stay.
    """
    if text.isascii() and text.isprintable():
        return text
    return _UNSAFE.sub(_spell, text)


def _spell(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


@functools.lru_cache(maxsize=4096)
def one_line(text: str, limit: int = 0) -> str:
    """Render text on one line, clipped to `limit` characters (0: no limit)."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return clip(text.strip(), limit)
    return clip(" ".join(visible(text).split()), limit)


def clip(text: str, limit: int) -> str:
    """Cut after `limit` characters and add how many were left out (0: no limit)."""
    if limit <= 0 or len(text) <= limit:
        return text
    return f"{text[:limit]}… (+{len(text) - limit:,} characters)"


@functools.lru_cache(maxsize=4096)
def is_label(text: str) -> bool:
    """Whether the text is a recorder's label of an object (`session-1`, `queue:orders`), not a plain value."""
    return _LABEL.match(text) is not None


def value(item: object, limit: int = 0) -> str:
    """Render a recorded value: labels bare, strings quoted, null as null.

    `limit` clips each string inside the value, and the whole at four times as much.
    """
    if type(item) is int:
        return clip(str(item), 4 * limit)
    return clip(visible(_raw(item, limit)), 4 * limit)


def _raw(item: object, limit: int) -> str:
    if item is None:
        return "null"
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, str):
        return _text(item, limit)
    if isinstance(item, Mapping):
        return _mapping(item, limit)
    if isinstance(item, Sequence) and not isinstance(item, bytes | bytearray):
        return "[" + ", ".join(_raw(each, limit) for each in item) + "]"
    return str(item)


def _text(item: str, limit: int) -> str:
    if is_label(item):
        return clip(item, limit)
    return "“" + clip(item, limit).replace("\n", "\\n").replace("\t", "\\t") + "”"


def _mapping(item: Mapping[Any, Any], limit: int) -> str:
    kind = item.get("type")
    if set(item) == {"error"}:
        return f"⟨reading it raised {_error_name(item['error'])}⟩"
    if kind in {"map", "list", "set"} and "value" in item:
        return _raw(item["value"], limit)
    if kind is not None and not _FORMS.isdisjoint(item):
        return _typed(kind, item, limit)
    return "{" + ", ".join(f"{key}: {_raw(each, limit)}" for key, each in item.items()) + "}"


_FORMS = frozenset({"len", "hex", "text", "value"})


def _typed(kind: object, item: Mapping[Any, Any], limit: int) -> str:
    """Render the recorder's form of a value that JSON cannot express."""
    if "len" in item:
        return f"⟨{kind}, {item['len']} long, digest {item.get('digest')}⟩"
    if "hex" in item:
        return f"bytes {clip(str(item['hex']), limit) or '(none)'}"
    if "text" in item:
        return f"{kind}: {clip(str(item['text']), limit)}"
    return f"{kind}({_raw(item['value'], limit)})"


def _error_name(error: object) -> str:
    return str(error.get("type", error)) if isinstance(error, Mapping) else str(error)


def error(item: Mapping[str, object] | None, limit: int = 0) -> str:
    """Render an exception: type, text, and the error code if there is one."""
    if not item:
        return ""
    text = str(item.get("type") or "exception")
    if item.get("text"):
        text += f": {item['text']}"
    if item.get("code"):
        text += f" (error code {item['code']})"
    return visible(clip(text, limit))


def count(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: `1 case`, `3 cases`, `no cases`."""
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {plural or noun + 's'}" if number else f"no {plural or noun + 's'}"


def milliseconds(ms: float) -> str:
    """Render a duration in milliseconds with three significant digits."""
    return f"{ms:,.0f} ms" if ms >= 1000 else f"{ms:.3g} ms"


def duration(seconds: float) -> str:
    """Render a duration in a suitable unit."""
    if seconds < 0.001:
        return f"{seconds * 1e6:.0f} µs"
    if seconds < 1:
        return f"{seconds * 1e3:.3g} ms"
    if seconds < 120:
        return f"{seconds:.3g} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"
