"""Providers written for the Java virtual machine, through JPype: one adapter for ``javax.jms`` and ``jakarta.jms``.

A profile with ``kind = "jvm"`` says which jars, which broker and which classes; docs/jvm.md tells how. `provider` opens
it; the machine starts with the first provider of a process, never at an import.
"""
