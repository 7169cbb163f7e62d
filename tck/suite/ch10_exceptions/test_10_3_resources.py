"""10.3 Standard exceptions: resources that cannot be allocated."""

from __future__ import annotations

from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import MODES
from tck.suite.support.lifecycle.administered import (
    client_on,
    connection_from,
    exchanged,
    factory_of,
    logins,
    nobody_connects,
)


def _refuses_beyond_the_limit(case: Case, *modes: int | None) -> None:
    """Judge every way to connect beyond the limit, and one below it again."""
    login, _ = logins(case)
    factory = factory_of(case)
    calls = {
        f"connecting{' with credentials' if user else ''}{'' if mode is None else f' in mode {mode}'}": partial(
            connection_from, case, factory, user, mode
        )
        for user in (None, login)
        for mode in modes
    }
    with expect.all_of():
        for what, call in calls.items():
            with expect.all_of():
                wanted = case.thrown(api.ResourceAllocationException)
                call().close()
                case.witness(f"{what} works below the limit")
                with nobody_connects(case):
                    expect.raises(wanted, call, what=what)
        again = expect.works("connecting below the limit again", partial(connection_from, case, factory, login))
        exchanged(case, client_on(case, again, "auto"))


@asserts("10.3-44")
def test_connecting_beyond_the_limit_is_refused(case: Case) -> None:
    """Creating a connection raises ResourceAllocationException where no more connections are allowed, and works again later."""
    _refuses_beyond_the_limit(case, None)


@asserts("10.3-45")
def test_creating_a_context_beyond_the_limit_is_refused(case: Case) -> None:
    """Creating a context raises ResourceAllocationRuntimeException where no more connections are allowed, in each mode."""
    _refuses_beyond_the_limit(case, None, *MODES.values())
