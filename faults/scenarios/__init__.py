"""Faults that break a claim of a scenario, one module for each scenario."""
