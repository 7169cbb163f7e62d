"""The client side: factories, connections, sessions, producers, consumers and browsers of the three APIs.

Imports `server`, `broker` and the rooms below. Must not know `provider`, `administration` or `naming`. Within the room,
each module imports only those below it and describes what it needs of a session or connection in a small Protocol.
"""
