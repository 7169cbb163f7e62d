"""Narrow faults that no case notices yet, each with the witness that sees it."""
