"""The commands that run many releases of a provider: `tck releases` and `tck bisect`."""
