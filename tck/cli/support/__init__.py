"""Helpers of several commands: bundles, choices, the console, pytest sessions."""
