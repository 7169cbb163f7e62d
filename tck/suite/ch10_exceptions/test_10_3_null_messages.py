"""10.3 Exceptions for messages that the provider cannot accept: null."""

from __future__ import annotations

from tck.suite.support import Case, asserts
from tck.suite.support.lifecycle.null_messages import refuses_null_messages


@asserts("10.3-34", ack=("transacted",), api=("classic",))
def test_a_send_of_null_in_a_transaction_is_refused(case: Case) -> None:
    """A send of a null message in a transaction raises MessageFormatException, and the transaction keeps the rest."""
    refuses_null_messages(case.link())


@asserts("10.3-34", ack=("client",), api=("domain-specific",))
def test_a_client_that_acknowledges_cannot_send_null_in_one_domain(case: Case) -> None:
    """A send or publish of null in CLIENT_ACKNOWLEDGE mode raises MessageFormatException, and the producer goes on."""
    refuses_null_messages(case.link())


@asserts("10.3-37", ack=("auto", "transacted"), api=("simplified",))
def test_a_jms_producer_refuses_null_messages(case: Case) -> None:
    """A send of a null message by a JMSProducer raises MessageFormatRuntimeException, and the producer goes on."""
    refuses_null_messages(case.link())
