"""Random small changes to the reference provider: does the suite notice?

A saboteur is a fault that somebody thought of; a mutant is random. An operator, a constant or a statement of the provider's
source is changed, chosen by a seed, and the cases that reach the place run until one reports a violation.
"""
