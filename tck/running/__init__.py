"""A run without pytest: its options, one process of it, an attempt at a case, the watchdog, the controller."""
