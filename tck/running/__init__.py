"""A run without the words of pytest: one attempt at a case, the worker, the controller, the watchdog."""
