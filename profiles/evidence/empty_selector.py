"""An empty selector is none (3.8.1.1), so getMessageSelector gives null; one of blanks is malformed (10.3)."""

from brokers import connect, end, tell

session, queue = connect()
tell("of a consumer, null", lambda: session.createConsumer(queue, "").getMessageSelector(), "null", "consumer")
tell("of a browser, null", lambda: session.createBrowser(queue, "").getMessageSelector(), "null", "browser")
tell("of a consumer, blank", lambda: session.createConsumer(queue, " "), "InvalidSelectorException", "blank")
topic = session.createTopic("blank")
tell("of a shared subscription, blank", lambda: session.createSharedConsumer(topic, "s", " "), "InvalidSelectorException", "shared")
end()
