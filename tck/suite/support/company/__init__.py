"""Company: bystanders that a case must leave alone.

Users' bugs lie between two objects, where a case has one. So before the first call of a case that ends, undoes or breaks
something, the harness makes a bystander: of another connection, of another session of the connection, or of the same
session. After the case it is looked at: unharmed, unchanged, still working. What it suffered breaks the row of its own claim.
Which bystander a case gets is its name's and the seed's choice.

Imports the messaging API and the harness; the runner makes and asks it.
"""

from tck.suite.support.company.calls import HARMFUL, Witnesses
from tck.suite.support.company.company import Company, choice
from tck.suite.support.company.refused import Refused

__all__ = ["HARMFUL", "Company", "Refused", "Witnesses", "choice"]
