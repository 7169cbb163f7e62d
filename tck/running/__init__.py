"""A run without pytest: what was asked for, one process of it, an attempt at a case, the watchdog, the controller."""
