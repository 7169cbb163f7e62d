"""How random programs are made: what messages hold, selectors, and moves of a few steps that belong together."""
