"""A browser shows a message with a String property of 66,000 bytes in UTF-8, and its session goes on (4.1.6)."""

from brokers import connect, connection, end, tell

session, queue = connect()
message = session.createMessage()
message.setStringProperty("long", "\N{LATIN SMALL LETTER U WITH DIAERESIS}" * 33_000)
session.createProducer(queue).send(message)
browsing = connection().createSession(False, 1)
browser = browsing.createBrowser(queue)
tell("it is shown", lambda: browser.getEnumeration().nextElement() is not None, "true", "shown")
tell("the session makes another browser", lambda: browsing.createBrowser(queue) is not None, "true", "browser")
tell("the browser gives another enumeration", lambda: browser.getEnumeration() is not None, "true", "enumeration")
tell("the session is transacted", browsing.getTransacted, "false", "session")
end()
