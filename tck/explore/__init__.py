"""Differential exploration: random legal programs, run on a provider and on the reference provider, and compared.

program, values      what a program is, in memory and in a file
rules/               which calls are legal, and what they are legal on
running/             how a program is run on a provider, and how what it showed is told
making/              how random programs are made
reference, partner   the reference provider's side, in a process of its own
comparing/           what two runs showed differently, and which rows that breaks
shrinking            how a program that disagrees is made small
exploration, report  the whole, and how it is told
"""
