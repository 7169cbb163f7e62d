"""The command line: one module per command, over helpers that several share.

May import every room; no room imports it. Commands return an exit code (`tck.record.Exit`); what they print is in
docs/cli.md, and a test holds that nothing is missing there.
"""
