"""Clients of a provider in the three interfaces: links, subscriptions, listeners, requestors, and messages on their way."""
