"""Distributed transactions: the XA forms of connections, sessions and contexts, and `XAResource`."""
