"""Connections and sessions before, during and after their use: administered, unstarted, stopped, closed, reconnecting."""
