"""The rule that ties the Python API to the Java one: `rule`, `overloads`, and the generated map."""
