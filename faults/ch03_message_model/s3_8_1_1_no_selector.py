"""Faults in 3.8.1.1: consumers without a selector."""

from faults.kit import *


def _presenting(patch, offence, error):
    """Refuse one way of passing no selector when a consumer is created."""

    def text(selector):
        if selector == offence:
            raise error
        return selector_text(selector)

    patch.replace(consumer_factory, "selector_text", text)


saboteur(
    "3.8.1.1-1",
    "an empty selector is refused",
    lambda patch: _presenting(patch, "", InvalidSelectorException("the selector is empty")),
)
saboteur(
    "3.8.1.1-2",
    "a null selector is refused",
    lambda patch: _presenting(patch, None, NullPointerException("the selector is null")),
)
saboteur(
    "3.8.1.1-3",
    "getMessageSelector() of a consumer without a selector returns the empty string",
    lambda patch: patch.replace(
        ReferenceConsumer, "message_selector", property(lambda self: self.receiver.selector or "")
    ),
)
