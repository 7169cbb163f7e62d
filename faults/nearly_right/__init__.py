"""Narrow faults: providers that are nearly right, each failing under one circumstance only, as real ones do.

A module holds those whose first row is of its section, whoever wrote them: `origin` says that. Three tables cross the sections:
`sends`, `receipts` and `acknowledgment`. `rows` names the rows whose cases must notice; one of them is enough. What a broad
fault under a circumstance gives is composed, and not written here.
"""
