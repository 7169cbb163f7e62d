"""Saboteurs of chapter 9, one module for each test file of `tck/suite/ch09_other_facilities` that they break."""
