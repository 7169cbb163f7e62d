"""Saboteurs of chapter 6, one module for each test file of `tck/suite/ch06_connecting` that they break."""
