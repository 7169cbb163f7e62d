"""The exception that turns a bar into "not measured"."""

from __future__ import annotations


class Unavailable(Exception):  # noqa: N818 - not an error: nothing can be measured here
    """Something that a measurement needs is missing: an extra, a tool, a storage medium."""
