"""Saboteurs of chapter 5, one module for each test file of `tck/suite/ch05_administered_objects` that they break."""
