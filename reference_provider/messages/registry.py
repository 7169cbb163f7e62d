"""The types, beyond the built-in ones, that an object message may carry."""

from __future__ import annotations


class TypeRegistry:
    """Types that may travel in an object message, by name."""
