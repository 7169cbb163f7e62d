"""The calls that a verdict rests on: what its texts name, and which recorded calls answered so."""
