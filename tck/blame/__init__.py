"""Whose fault is it: the only place that turns "what differed, after what" into rows of the catalogue."""
