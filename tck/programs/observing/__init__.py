"""How a program is run on a provider: one function for each kind of step, and how what it showed is told."""
