"""Random small changes to the reference provider: does the suite notice?

A saboteur is a fault that somebody thought of. A mutant is one that nobody did: an operator, a constant or a statement of
the provider's source is changed, drawn by a seed, and the cases that reach the place are run until one reports a violation.
"""
