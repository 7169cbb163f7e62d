"""Selectors: which messages a provider chooses, and which it should.

| name | what it is |
|---|---|
| `Samples` | messages by name, the type of the tables below |
| `chosen(case, samples, wanted)` | which samples each selector chooses, shown so that it compares with `wanted` |
| `refused(case, texts, neighbour=)` | demand InvalidSelectorException for each text |
| `refused_or_never(case, samples, texts, ...)` | demand that each text is refused, or chooses nothing |
| `make(link, name, sample)` | the message of a sample, and the options to send it with |
| `expressions` | trees of conditions that spell themselves and evaluate themselves in three values: the oracle |
| `table(trees, samples, ...)` | what the oracle says, in the form of `wanted` |
| `generated(seed, ...)` | conditions made at random, the same ones for the same seed |

A sample is a message by name with its properties and headers: a plain int is set as int, a plain float as double,
str, bool and None (a String) as such, a box of `tck.api` as its own type; `JMSType`, `JMSCorrelationID`, `JMSPriority`
and `JMSDeliveryMode` are headers. A wanted choice is written as the names of the samples, divided by blanks.
"""

from tck.suite.support.selectors.generator import generated
from tck.suite.support.selectors.judging import Samples, chosen, make, refused, refused_or_never
from tck.suite.support.selectors.oracle import table

__all__ = ["Samples", "chosen", "generated", "make", "refused", "refused_or_never", "table"]
