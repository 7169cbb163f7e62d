"""Does a connection take an identifier though its factory has given it one?  given_identifier.py PROVIDER

setClientID raises IllegalStateException where an administrator has set the identifier (6.1.2).
"""

import brokers
from brokers import connect, end, tell

connect()
factory = type(brokers.factory)(brokers.factory.getBrokerURL())
factory.setClientID("given")
connection = factory.createConnection()
tell("getClientID()", connection.getClientID)
tell("setClientID()", lambda: connection.setClientID("another"), "IllegalStateException")
end()
