"""Blame: which rows the end of a case breaks or leaves undecided, beside those that it is about, and why.

Its functions take a case and its recorded calls and return causes; the runner calls them. It imports the suite's vocabulary,
adapters, profiles and the catalogue, and knows neither attempts nor processes.
"""
