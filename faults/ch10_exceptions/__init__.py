"""Saboteurs of chapter 10, one module for each test file of `tck/suite/ch10_exceptions` that they break."""
