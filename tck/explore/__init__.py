"""Differential exploration: random legal programs, run on a provider and on the reference provider, and compared.

program, values      a program, in memory and in a file, and the values in it
rules/               which calls are legal, and the state that decides it
running/             runs a program on a provider and records the outcomes
making/              makes random programs
reference, partner   the reference provider's side, in a process of its own
comparing/           the differences of two runs, and the rows that they break
shrinking            makes a program small that shows a difference
exploration          the whole
rendering            findings as text, JSON and files
"""
