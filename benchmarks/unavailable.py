"""The exception for a measurement that is not possible here; the bar is reported as not measured."""

from __future__ import annotations


class Unavailable(Exception):  # noqa: N818 - not an error: nothing can be measured here
    """Something that a measurement needs is missing: an extra, a tool, a storage medium."""
