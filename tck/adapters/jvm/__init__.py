"""Providers written for the Java virtual machine, through JPype: one adapter for ``javax.jms`` and ``jakarta.jms``.

A profile with ``kind = "jvm"`` names the jars, the broker and the classes; see docs/jvm.md. `provider` opens it; the
machine starts with the first provider of a process, never at an import.
"""
