"""Whose fault is it: the only place that turns "what differed, after what" into rows of the catalogue.

`owners` names the rows of differences between programs, from `facts` and `timeline`; the other modules tell what the end of a case
breaks or leaves undecided beside its own rows. They take a case and its recorded calls and return causes; the runner calls them.
The room knows the suite's vocabulary, adapters, profiles and the catalogue, and neither attempts nor processes.
"""
