"""Saboteurs of chapter 4, one module for each test file of `tck/suite/ch04_messaging_domains` that they break."""
