"""`tck report`: write reports from a run bundle; it never touches a provider."""

from __future__ import annotations
