"""How a program is run on a provider: one function for each kind of step, and how its outcomes are shown."""
