"""What an application holds: connections, sessions, producers, consumers, in each of the three interfaces; built on `broker`."""
