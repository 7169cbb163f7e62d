"""Spark: how it is started, the two ways to check a run on it, and the tables over many runs.

Importing this package loads no PySpark; a function imports it when it needs it.
"""
