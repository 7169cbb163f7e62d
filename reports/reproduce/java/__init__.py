"""The program of a case in Java: values, calls, statements, and the broker of a profile."""
