"""Traces and histories at scale: a store of Parquet files, checks of every trace property over it, tables of many runs.

    ingest    put a bundle into the store: operations (one row per call or delivery), side tables and verdicts
    check     judge the operations of a run with `tck.check`: in this process, or as tasks of Spark
    spark/    start Spark, run a check on it, derive tables over all runs: matrix, transitions, regressions and others

May import `tck.record`, `tck.catalogue`, `tck.check`. Importing this package loads neither pyarrow nor PySpark; both come
with the extra `spark`.
"""
