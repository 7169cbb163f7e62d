"""Saboteurs of chapter 8, one module for each test file of `tck/suite/ch08_receiving` that they break."""
