"""An empty selector is none (3.8.1.1), so getMessageSelector gives null."""

from brokers import connect, end, tell

session, queue = connect()
tell("of a consumer, null", lambda: session.createConsumer(queue, "").getMessageSelector(), "null", "consumer")
tell("of a browser, null", lambda: session.createBrowser(queue, "").getMessageSelector(), "null", "browser")
end()
