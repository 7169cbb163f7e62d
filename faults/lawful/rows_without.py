"""SHOULD and MAY rows that no provider of this package goes with, each with the reason."""

_CLIENT = "it advises or permits clients, and a provider does nothing in it"
_TOOLS = "it is about an administrator's tools or a deployment, which no adapter reaches"
_CONTAINER = "it is about an application server, and no adapter runs in one"
_CLAIMED = "a profile claims the feature or does not: without it the cases are unsupported by name"
_AS_IT_IS = "this provider makes use of the permission already"
_REFUSED = "whoever does otherwise takes away a call that MUST rows demand as well"

ROWS_WITHOUT = {
    row: reason
    for reason, rows in {
        _CLIENT: """2.16-5 3.4.6-4 3.4.8-4 3.4.11-10 3.5.10-3 3.8.1.3-3 3.11-8 4.2.6-4 4.2.11-6 6.1.8-50 8.6-4 8.7-12 9.1-9
            9.1-10 10.3-6 11.1-2 11.2.3-4 11.2.6-1 11.4-1""",
        _TOOLS: """2.3-2 2.15-1 3.3-3 3.4.3-6 3.4.8-3 3.4.12-1 3.11.4-4 3.11.4-5 4.2.9-4 5.1-9 5.2-3 6.2.10-19 8.7-13 9.1-11
            9.1-13 10.3-18 11.3.5-13 13-1""",
        _CONTAINER: """6.2.8-3 7.3.5-1 7.3.5-2 12.2-4 12.2-6 12.2-7 12.2-8 12.2-9 12.2-10 12.2-11 12.2-12 12.2-13 12.3-6 12.3-7
            12.3-8 12.3-12 12.3-16""",
        _CLAIMED: "6.2.8-1 6.2.8-2 11.1-1 11.3-1",
        _AS_IT_IS: """2.9-10 3.8.1.1-106 4.2.6-3 4.2.8-2 6.1.7-12 6.2-14 6.1.5-22 6.1.8-5 6.1.8-6 6.1.8-49 6.2.3-3 6.2.9.2-4 6.2.10-29 6.2.12-7 7.3-11 7.7-7 9.1-15
            11.2.5-4""",
        _REFUSED: "2.8.1-1 2.8.1-2 5.1-1 5.1-14 10.3-50",
        "a message in transit alone may come so, and 8.3.1-8 forbids it in the steady state": "4.2.3-2",
        "it belongs to 1.0 alone, and this provider is run by the newest version": "6.1.5-23",
        "the classes of Java are judged by the profile of a Java provider": "5.1-10 5.1-11 5.1-12 5.1-13 5.1-15",
    }.items()
    for row in rows.split()
}
"""The reason, by the row."""
