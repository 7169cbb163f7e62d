"""A second getEnumeration of a browser, while the first one was read up to "one", shows "one" and "two" (4.1.6)."""

from brokers import connect, end, tell

session, queue = connect()
producer = session.createProducer(queue)
for text in ("one", "two"):
    producer.send(session.createTextMessage(text))
browser = session.createBrowser(queue)
first = browser.getEnumeration()
tell("the first shows one", lambda: first.nextElement().getText(), "one")
second = browser.getEnumeration()
tell("the second shows both", lambda: [str(second.nextElement().getText()) for _ in range(2) if second.hasMoreElements()], "['one', 'two']")
end()
