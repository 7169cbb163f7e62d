"""The actors of a workload, each a thread: producers, consumers, browsers, intruders, faults, and the drains at the end.

May import links, consumer links, the shared state and the content of messages; the engine starts them.
"""
