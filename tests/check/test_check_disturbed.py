"""When the order at a consumer becomes uncertain: others of its endpoint end, or somebody hands messages back."""

from tck.check.columns import AUTO, CONSUMERS, NEVER, SESSIONS, TRANSACTED, Table
from tck.check.tables import Tables


def disturbed(*undone, ends=(0, 0), gone=NEVER):
    """Give the times for consumers of these endpoints, of sessions that first undid at these times."""
    sessions = [{"conn": 0, "mode": TRANSACTED, "undo0": time} for time in undone]
    consumers = [{"end": end, "session": number, "open0": 0} for number, end in enumerate(ends)]
    consumers[-1] |= {"gone0": gone, "gone1": gone}
    return Tables(
        sessions=Table.from_rows(SESSIONS, sessions), consumers=Table.from_rows(CONSUMERS, consumers)
    ).disturbed.tolist()


def test_nothing_disturbs_consumers_that_keep_what_they_got():
    assert disturbed(NEVER, NEVER) == [NEVER, NEVER]


def test_the_end_of_another_consumer_disturbs():
    assert disturbed(NEVER, NEVER, gone=70)[0] == 70


def test_whoever_hands_messages_back_disturbs_all_of_the_endpoint():
    assert disturbed(50, NEVER) == [50, 50]
    assert disturbed(50, NEVER, ends=(0, 1)) == [NEVER, NEVER]


def test_a_consumer_alone_gets_back_in_order_what_it_handed_back():
    assert disturbed(50, 60, ends=(0, 1)) == [NEVER, NEVER]


def test_a_receive_of_nobody_known_disturbs_nothing_by_undoing():
    unseen = {"end": 0, "session": -1, "open0": 10, "gone0": 10, "gone1": 20}
    own = {"end": 0, "session": 0, "open0": 0}
    tables = Tables(
        sessions=Table.from_rows(SESSIONS, [{"conn": 0, "mode": AUTO, "undo0": 30}]),
        consumers=Table.from_rows(CONSUMERS, [own, unseen]),
    )
    assert tables.disturbed.tolist()[0] == 10
