"""Generated load: many actors, transactions and faults, driven through `tck.api` and judged by `tck.check`.

May import the provider SPI, profiles, `tck.record` and `tck.check`; knows no provider and nothing of the command line.
"""
