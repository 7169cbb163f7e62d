"""The order of delivery in memory."""

from hypothesis import given
from hypothesis import strategies as st

from reference_provider.broker.delivery_queue import PriorityLevel


def _level(*numbers: int) -> PriorityLevel:
    level = PriorityLevel()
    for number in numbers:
        level.add(number)
    return level


def test_a_level_gives_its_messages_in_order():
    level = _level(1, 2, 3)
    assert [level.take(), level.take(), level.take(), level.take()] == [1, 2, 3, None]


def test_a_message_given_back_returns_to_its_own_place():
    level = _level(1, 2, 3)
    level.take()
    level.take()
    level.put_back(1)
    assert [level.take(), level.take()] == [1, 3]


def test_a_late_number_is_put_where_it_belongs():
    level = _level(1, 5)
    level.take()
    level.add(3)
    assert list(level.free()) == [3, 5]
    assert level.take() == 3


def test_a_selecting_consumer_meets_each_message_once():
    level = _level(*range(10))
    met = []

    def even(number: int) -> bool:
        met.append(number)
        return number % 2 == 0

    taken = [level.take_matching("c", even) for _ in range(6)]
    assert taken == [0, 2, 4, 6, 8, None]
    assert met == list(range(10))
    level.add(10)
    assert level.take_matching("c", even) == 10


def test_a_message_given_back_is_met_again():
    level = _level(1, 2, 3)
    assert level.take_matching("c", lambda _: True) == 1
    assert level.take_matching("c", lambda number: number == 3) == 3
    level.put_back(1)
    assert level.take_matching("c", lambda _: True) == 1


def test_what_is_gone_takes_no_room():
    level = _level(*range(10_000))
    stuck = level.take()
    for _ in range(9_998):
        level.remove(level.take())
    assert len(level) == 2
    assert len(level.numbers) < 200
    level.put_back(stuck)
    assert level.take() == stuck


@given(
    st.lists(
        st.tuples(st.sampled_from(["add", "late", "take", "match", "back", "remove"]), st.integers(0, 50)), max_size=200
    )
)
def test_a_level_behaves_like_a_sorted_list(steps):  # noqa: C901 # one branch for each step of the model
    level, free, taken, next_number = PriorityLevel(), [], [], 10
    for step, pick in steps:
        if step == "add":
            next_number += 10
            level.add(next_number)
            free.append(next_number)
        elif step == "late" and next_number > 10:
            number = next_number - 5 - pick % 3
            if number not in free and number not in taken and number > 0:
                level.add(number)
                free.append(number)
        elif step == "take":
            number = level.take()
            assert number == (min(free) if free else None)
            if number is not None:
                free.remove(number)
                taken.append(number)
        elif step == "match":
            fitting = [n for n in free if n % 20 == 0]
            number = level.take_matching("c", lambda n: n % 20 == 0)
            assert number == (min(fitting) if fitting else None)
            if number is not None:
                free.remove(number)
                taken.append(number)
        elif taken:
            number = taken.pop(pick % len(taken))
            if step == "back":
                level.put_back(number)
                free.append(number)
            else:
                level.remove(number)
        assert len(level) == len(free) + len(taken)
        assert list(level.free()) == sorted(free)


@given(st.lists(st.integers(1, 40), min_size=3, max_size=12), st.randoms(use_true_random=False))
def test_compacting_leaves_what_is_not_gone_in_its_order(runs, choice):
    level = _level(*range(sum(runs)))
    left, first = set(range(sum(runs))), 0
    for place, length in enumerate(runs):
        if place % 2:
            for number in choice.sample(range(first, first + length), length):
                level.remove(number)
            left -= set(range(first, first + length))
        first += length
    assert list(level.present()) == sorted(left)
    taken = []
    while (number := level.take()) is not None:
        taken.append(number)
    assert taken == sorted(left)


def test_what_follows_a_number_that_is_absent_begins_with_the_next_one():
    level = _level(1, 3, 5, 7)
    assert level.free_after(3, 2) == [5, 7]
    assert level.free_after(4, 2) == [5, 7]
    assert level.free_after(0, 2) == [1, 3]
    assert level.free_after(7, 2) == []


def test_a_search_that_is_cut_short_goes_on_where_it_stopped():
    level = _level(*range(6))
    met = []

    def last(number: int) -> bool | None:
        met.append(number)
        return None if len(met) == 4 else number == 5

    assert [level.take_matching("c", last), level.take_matching("c", last)] == [None, 5]
    assert met == [0, 1, 2, 3, 3, 4, 5]
