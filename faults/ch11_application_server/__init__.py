"""Saboteurs of chapter 11, one module for each test file of `tck/suite/ch11_application_server` that they break."""
