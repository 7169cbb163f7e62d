"""Second lifetimes: what comes after a close, a replacement, a reconnect or a restart must be as new.

Users' bugs lie between the first and the second life of a thing: settings that a closed producer leaves to the next one, a
transaction that a rollback has doomed, a name that keeps its first topic. So after a case the harness opens a fresh object of
each kind that the case has ended, and looks at the section's basic claims again. What is wrong breaks the row of the claim.

Imports the messaging API, the harness, and the desks of company; the runner asks it.
"""

from tck.suite.support.lifetimes.lifetimes import EXCUSED, look, wanted

__all__ = ["EXCUSED", "look", "wanted"]
