"""Saboteurs of chapter 2, one module for each test file of `tck/suite/ch02_architecture` that they break."""
