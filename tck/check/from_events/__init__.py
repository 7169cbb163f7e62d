"""Converts the recorded events of a case to the columns that properties judge."""
