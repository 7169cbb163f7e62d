"""Faults that only many actors show, so that trace properties are proved with them.

There is one for each property that no saboteur of a single row breaks under load, in the module of the same name as in
`tck.check.properties`. `settings["saboteur"]` takes their names as well as ids of rows: `listener-serial` lets two listeners
of a session run at once. Most faults strike once in several times, so that a short workload meets them.
"""
