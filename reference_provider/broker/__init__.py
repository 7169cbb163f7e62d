"""The server side: physical destinations, delivery queues, subscriptions, transactions, recovery.

Imports `store`, `messages`, `selector`, `destinations` and `clock`. Must not know `client`: where a module needs
something of a client object, it says so in a small Protocol of its own.
"""
