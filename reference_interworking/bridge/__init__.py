"""The reference bridge: carries structured events of a notification channel and JMS messages into one another.

It is written against `tck.api` and `tck.interworking` only, so it works over any provider. Where the interworking document leaves
something open, the docstring of the function that decides says what this bridge does.
"""
