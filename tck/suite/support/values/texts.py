"""The table of texts: each entry by its reason, for every String that a message carries.

A String is a sequence of UTF-16 units (Java), and no sentence of the specification limits it: each of these texts must
come back unit by unit wherever a String is a value. Two that look alike are two texts.
"""

from __future__ import annotations

from collections.abc import Mapping

SHORT: Mapping[str, str] = {
    "empty and not null": "",
    "one space": " ",
    "blanks at both ends": "  edged\t ",
    "no-break spaces at the ends": "\u00a0edged\u3000",
    "a tab": "a\tb",
    "line ends of three systems": "a\nb\r\nc\rd",
    "a line end at the end": "a\n",
    "NUL amid": "a\0b",
    "NUL at the end": "ab\0",
    "NUL alone": "\0",
    "the other controls": "\x01\x08\x1b\x7f\x80\x85\x9f\u2028",
    "a byte order mark at the start": "\ufeffmarked",
    "a swapped byte order mark at the start": "\ufffemarked",
    "a surrogate pair": "\N{GRINNING FACE}",
    "the last character of all": "\U0010ffff",
    "the last unit": "\uffff",
    "both sides of two bytes in UTF-8": "\x7f\x80\u07ff\u0800",
    "an accent composed": "caf\u00e9",
    "an accent decomposed": "cafe\u0301",
    "a sign that normalises to another": "\u212b \u2126 \ufb01",
    "upper case": "STRASSE I",
    "lower case": "strasse i",
    "letters whose case is not one to one": "stra\u00dfe \u0130\u0131",
    "right to left": "\u202eabc\u05d0",
    "several scripts": "gr\u00f6\u00dfer, \u6771\u4eac\u90fd \uc11c\uc6b8, \u0438\u043c\u044f",
    "quotes": "it's \"quoted\" ''so''",
    "signs of patterns": "100%_\\_%",
    "escapes": "\\n\\u0041%41&#65;${x}{0}",
    "markup": "<?xml version='1.0'?><a>&amp;]]></a>",
    "digits": "42",
    "a number with sign and zeros": "-007",
    "a number between blanks": " 1 ",
    "the word null": "null",
    "the word true": "true",
    "the word NaN": "NaN",
}
"""Short texts."""

HALVES: Mapping[str, str] = {
    "a high surrogate alone": "a\ud83d",
    "a low surrogate alone": "\ude00b",
    "surrogates in the wrong order": "\ude00\ud83d",
}
"""Texts with half a pair, which Java allows; apart, since a provider that cannot carry them may lose the whole message."""

MEDIUM: Mapping[str, str] = {
    "beyond one byte of length": "x" * 300,
    "beyond 8 KiB": "x" * 10_000,
}
"""Texts that fit a header or a property beside many others."""

LONG: Mapping[str, str] = {
    "beyond 32 KiB": "y" * 32_768,
    "beyond 64 KiB in UTF-8 and not in units": "\u00fc" * 33_000,
    "beyond 64 KiB in units": "0123456789" * 6_600,
}
"""Texts beyond the lengths that fit 15 and 16 bits."""

TEXTS: Mapping[str, str] = {**SHORT, **MEDIUM, **LONG}
"""All of them."""


def seldom_right(value: object) -> bool:
    """Return whether a value is a text with NUL or a character beyond 16 bits, which some providers alter on the way."""
    return isinstance(value, str) and ("\0" in value or max(value, default="") > "\uffff")
