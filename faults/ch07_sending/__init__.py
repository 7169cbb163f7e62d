"""Saboteurs of chapter 7, one module for each test file of `tck/suite/ch07_sending` that they break."""
