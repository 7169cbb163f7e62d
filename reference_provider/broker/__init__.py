"""The server side: physical destinations, subscriptions, deliveries and transactions; knows nothing of `client`."""
