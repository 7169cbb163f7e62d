"""The command line: one module per command, over helpers that several share.

May import every room; no room imports it. Commands return an exit code (`tck.record.Exit`); docs/cli.md describes
their output, and a test checks that nothing is missing there.
"""
