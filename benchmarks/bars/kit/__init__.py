"""Bars of the kit: the cost of recording and of judging a trace, the duration of the suite."""
