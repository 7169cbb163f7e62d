"""A program without the kit from the recorded events of one case: it makes the calls that the verdict rests on, and judges.

`find` and `write_java` (or `write_python`) are the whole interface. Reads bundles alone; a profile comes as plain values.

    recorded    events as calls and deliveries
    verdict     the calls that the verdict rests on: by_call, by_choice, by_value; wording reads the verdict's texts
    slicing     the calls that those depend on; limits: the calls that no program can make
    ordering    the waits that keep the order of several threads; pauses: times that must pass
    script      the steps of a program without a language
    java        the program in Java, with the broker of a profile
    python_program  the program in Python
"""

from tck.reports.reproduce.case import Reproduction, find, write_java, write_python
from tck.reports.reproduce.facts import PythonSetup, class_name
from tck.reports.reproduce.java.setup import JavaSetup
from tck.reports.reproduce.limits import CannotReproduce

__all__ = [
    "CannotReproduce",
    "JavaSetup",
    "PythonSetup",
    "Reproduction",
    "class_name",
    "find",
    "write_java",
    "write_python",
]
