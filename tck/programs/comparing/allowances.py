"""What a comparison leaves open: each rule with its sentence, and the row or section that leaves it open. Data alone.

A rule is named wherever two outcomes differ and neither breaks a row, so that nothing is forgiven in silence.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_OPTIONAL: Final = "JMSXUserID, JMSXAppID, JMSXProducerTXID, JMSXConsumerTXID, JMSXRcvTimestamp, JMSXState"

ALLOWANCES: Final[Mapping[str, tuple[str, str]]] = {
    "order": ("of messages that differ in priority, producer, session or delivery mode, any may come first", "6.2.9.1-7, 6.2.9.1-8, 3.4.10-4"),
    "again": ("a message that was given back is redelivered before or after others; how often it was delivered unseen is open", "6.2.12-7, 6.2.10-27"),
    "contended": ("which of several consumers of one queue or shared subscription gets a message", "4.1.2-4, 8.3.2-7"),
    "in use": ("a browser need not show what arrives or leaves while it is open", "4.1.6-7"),
    "follows": ("a call is refused that stands on something that went otherwise before, which was judged there", "-"),
    "browsed": ("whether a temporary queue can be deleted that only a browser is open on", "4.1.5-9"),
    "lost": ("a NON_PERSISTENT message may be lost, or not, in a failure of the provider", "7.7-2"),
    "repeated": ("what was not settled before a failure may be redelivered, with the flag", "6.2.11-5"),
    "as sent": ("what the provider's own sent message showed otherwise, and was judged there, travels on", "-"),
    "time": ("where time is real, two sends have not one timestamp, and messages may fall due meanwhile", "-"),
    "nul": ("the text of a foreign message with a zero character is known again only by its number", "-"),
    "version": ("a member or header of a later version, in a provider that has it all the same", "tier"),
    "left out": ("an identifier or timestamp that a producer was asked to leave out is there or not", "3.4.3-10, 3.4.4-7"),
    "flagged": ("a message that a client may have had before, unseen, may say so: JMSRedelivered, JMSXDeliveryCount", "3.5.11-5"),
    "count": ("after a failure the deliveries before it may be forgotten", "3.5.11-5"),
    "vendor": (f"properties whose names begin with JMS_, and optional ones that the profile does not claim: {_OPTIONAL}", "3.5.10-1, 3.5.9-20"),
    "closed": ("of a consumer closed by itself, or the enumeration of a closed browser, no sentence says that its calls raise; it must get no message", "8.8-2"),
    "signs": ("a selector that ends with two signs and an operand is arithmetic too, no comment", "3.8.1.3-5"),
    "serializable": ("receiveBody may give the array or map of a message as Serializable", "8.6-14"),
    "temporary": ("the exception for a consumer of another connection's temporary destination is not named", "6.2.2-3, 6.2.2-4"),
    "in hand": ("before 2.0, what a closed consumer had got in CLIENT_ACKNOWLEDGE may be redelivered, with the flag", "8.8-14"),
    "older": ("the exception for a durable subscription without a client identifier was named later", "8.3.3-13"),
}  # fmt: skip
"""By rule: what may differ, and which row or section says so; ``-`` where another difference of the program was judged."""
