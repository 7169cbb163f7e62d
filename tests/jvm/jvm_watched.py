"""When JPype makes the Python classes of Java classes."""

MADE = []
"""Which of the classes that a test watches got their Python class, in order."""
EARLY = []
"""Those of them that had it when the provider had been opened."""


def watch(name):
    """Note when the Python class of a Java class is made; to be called before."""
    import jpype  # here, since tests beside these run where it is not installed

    jpype.JImplementationFor(name)(type("Watched", (), {"__jclass_init__": lambda made: MADE.append(made.__name__)}))
