"""How strong the programs of the corpus are: which faults they notice, and whether the right row is blamed.

faults     one fault of the reference provider against the programs, in a process of its own
strangers  the faults that strangers wrote
owners     the saboteurs, and the rows that the programs name for them
making     a new corpus
growing    more programs for it, which meet states that the others meet too seldom
states     the named states, and the pairs of a value and its path, that a program meets
command    `python -m benchmarks strength`
"""
