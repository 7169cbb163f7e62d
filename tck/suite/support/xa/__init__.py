"""A small transaction manager, and the work that it has done in distributed transactions."""
