"""The XA forms of connections, sessions and contexts, and the resource that a transaction manager drives."""
