"""Rules of the Java language and library that the specification points to: identifiers, number texts, modified UTF-8.

Pure functions over `str`, `bytes`, `int` and `float`; nothing here knows messages or selectors. Import the modules directly.
"""
