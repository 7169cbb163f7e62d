"""How many of the declared deviations of real brokers are true accusations, as a reader of the specification judges them.

drawing  accusations drawn by a seed, and the sheet that a reader judges
judged   the judgements that are kept, and their figures
command  `python -m benchmarks precision`
"""
