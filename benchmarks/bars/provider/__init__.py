"""Bars of the reference provider: rates beside raw SQL and peers, syncs, a large backlog, selectors, durability."""
