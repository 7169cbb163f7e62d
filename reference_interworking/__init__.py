"""The reference implementations of interworking: a bridge, a notification channel and its constraint language.

bridge    carries structured events and JMS messages into one another, over any provider and any channel
channel   the stand-in for a notification channel, in this process
etcl      the constraint language of filters, and its selectors
names     of fields and properties on both sides
reliable  numbers of events on one connection, for bridge and channel
values    JMS values and CORBA `any`

Imports `tck.api` and `tck.interworking` only.
"""
