"""Traces and histories at scale: bundles into a store of Parquet files, every trace property over it, tables of many runs.

    ingest    a bundle becomes rows (one per call or delivery), side tables and verdicts of one run
    check     `session` and `message` of `tck.check` over the parts of a run: in this process, or as tasks of Spark
    history   PySpark over the verdicts of all runs: matrix, transitions, flakiness, regressions, latency

May import `tck.record`, `tck.catalogue`, `tck.check`. Importing this package loads neither pyarrow nor PySpark; both come
with the extra `spark`.
"""
