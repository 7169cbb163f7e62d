"""May another connection share the subscribers of a temporary topic?  temporary_shared.py PROVIDER

Only the connection that created a temporary topic may consume from it (4.2.7): for another one, creating a consumer must end
in an exception, for a shared one as for an unshared one.
"""

from brokers import connect, end, tell

owner, _ = connect()
other, _ = connect()
topic = owner.createTemporaryTopic()


def outcome(create):
    try:
        create().close()
    except Exception as error:  # whatever the provider throws is an exception  # noqa: BLE001
        return f"raises {type(error).__name__}"
    return "is accepted"


for words, create in (
    ("an unshared consumer", lambda: other.createConsumer(topic)),
    ("a shared consumer", lambda: other.createSharedConsumer(topic, "name")),
):
    seen = outcome(create)
    tell(f"{words} of another connection", lambda: "raises" if seen.startswith("raises") else seen, "raises")  # noqa: B023
end()
