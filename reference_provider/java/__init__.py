"""Rules of the Java language and library that the specification refers to: identifiers, number texts, modified UTF-8.

Pure functions over `str`, `bytes`, `int` and `float`. Must not know messages or selectors. Import the modules directly.
"""
