"""Bars of the trace pipeline: faults found, and cost beside DuckDB."""
