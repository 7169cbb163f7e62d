"""Clients of a provider in the three interfaces: links, subscriptions, listeners, requestors, and how messages travel."""
