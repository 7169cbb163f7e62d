"""How findings are worded: long lists around their first difference, short ones whole."""

from tck.suite.support.harness.wording import clipped, differing, joined, key


def test_short_values_are_shown_whole():
    assert differing([1, 2], [2, 1]) == ("[1, 2]", "[2, 1]")
    assert differing("x" * 50, "y") == (repr("x" * 50), "'y'")


def test_long_lists_are_shown_around_their_first_difference():
    wanted = list(range(100))
    seen = [*wanted[:50], 99, *wanted[51:]]
    came, to_come = differing(seen, wanted)
    assert came == "[... 47, 48, 49, 99, 51, 52, 53, ...] (100 in all, from number 48 on)"
    assert to_come == "[... 47, 48, 49, 50, 51, 52, 53, ...] (100 in all, from number 48 on)"


def test_a_list_that_ends_early_differs_at_its_end():
    came, to_come = differing(list(range(20)), list(range(30)))
    assert came == "[... 17, 18, 19] (20 in all, from number 18 on)"
    assert to_come == "[... 17, 18, 19, 20, 21, 22, 23, ...] (30 in all, from number 18 on)"


def test_a_short_list_beside_a_long_one_is_shown_whole():
    assert differing([], list(range(20))) == ("[]", "[0, 1, 2, 3, ...] (20 in all, from number 1 on)")


def test_a_key_of_several_words_stands_out():
    assert key("a = b") == "`a = b`"
    assert key("int_0") == "int_0"


def test_a_long_list_beside_something_else_shows_its_first_items():
    came, to_come = differing("raises MessageFormatException", list(range(20)))
    assert came == "'raises MessageFormatException'"
    assert to_come == "[0, 1, 2, 3, ...] (20 in all, from number 1 on)"


def test_long_texts_are_shown_around_their_first_difference():
    came, to_come = differing("x" * 70_000 + "a" + "z" * 100, "x" * 70_000 + "b" + "z" * 100)
    assert came == f"... {'x' * 60 + 'a' + 'z' * 59!r} ... (70,101 characters in all, from number 69,941 on)"
    assert to_come == f"... {'x' * 60 + 'b' + 'z' * 59!r} ... (70,101 characters in all, from number 69,941 on)"
    assert differing("x" * 500, None) == (f"{'x' * 60!r} ... (500 characters in all, from number 1 on)", "None")


def test_a_long_sight_is_cut():
    assert clipped("x" * 400) == "x" * 400
    assert clipped("x" * 1_500) == "x" * 400 + "... (1,100 more characters)"


def test_sights_are_joined_each_once_up_to_a_bound():
    assert joined(["a", "b", "a"]) == "a; b"
    assert joined([]) == ""
    many = joined([f"{number:0400d}" for number in range(60)])
    assert many.endswith("; and 50 more")
    assert len(many) < 4_100
