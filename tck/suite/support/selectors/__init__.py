"""Selectors: the messages that a provider chooses, and the oracle that knows which it should choose.

`chosen` shows the choices of a provider, `table` those of the oracle; `refused` and `refused_or_never` judge invalid
selectors. A sample is a message by name with its properties and headers: a plain int is set as int, a plain float as
double, str, bool and None (a String) as such, a box of `tck.api` as its own type; `JMSType`, `JMSCorrelationID`,
`JMSPriority` and `JMSDeliveryMode` are headers. A choice is written as the names of the samples, separated by blanks.
"""

from tck.suite.support.selectors.generator import generated
from tck.suite.support.selectors.judging import Samples, chosen, make, refused, refused_or_never
from tck.suite.support.selectors.oracle import table

__all__ = ["Samples", "chosen", "generated", "make", "refused", "refused_or_never", "table"]
