"""Faults composed: any fault under circumstances, and generic operators at every seam of the provider."""
