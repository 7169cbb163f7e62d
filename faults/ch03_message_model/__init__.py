"""Saboteurs of chapter 3, one module for each test file of `tck/suite/ch03_message_model` that they break."""
