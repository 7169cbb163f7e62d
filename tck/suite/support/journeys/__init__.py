"""Journeys: the conditions under which a message travels as axes, and each content row judged under them."""
