"""A second instance of the profile's provider, for programs that run on two at once."""

from __future__ import annotations

import contextlib
import dataclasses
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from tck import api
from tck.adapters.opening import open_provider
from tck.profile.errors import AdapterError, ProviderUnreachable
from tck.suite.support.harness.outcome import Unsupported
from tck.suite.support.harness.running import RunningCase

_Case = TypeVar("_Case", bound=RunningCase)


@contextlib.contextmanager
def second_provider(case: _Case) -> Iterator[_Case]:
    """Open the provider beside the case's own, and give a case that works on it; both end with the block.

    That is the second profile of the run (`--second`), or else a second instance of the provider.

    Raises:
        NoHook: no second profile is named, and the provider does not offer `Hook.SECOND_PROVIDER`.
        Unsupported: the second profile does not claim the case's interface.
    """
    profile = case.profile.second or case.profile
    if case.profile.second is None:
        case.needs(api.Hook.SECOND_PROVIDER)
    if case.api not in profile.claims.api:
        raise Unsupported(f"the second profile does not claim the {case.api} interface")
    with tempfile.TemporaryDirectory() as folder, open_provider(profile, Path(folder)) as provider:
        other = type(case)(case.point, case.rows, profile, provider, case.evidence, case.name("second"), case.version)
        try:
            yield other
        finally:
            for _ in other.close():
                pass


def takes_setting(case: RunningCase, key: str) -> bool:
    """Open one more instance of the provider with a setting; return whether that worked."""
    adapter = dataclasses.replace(case.profile.adapter, settings={**case.profile.adapter.settings, key: "1"})
    with tempfile.TemporaryDirectory() as folder:
        try:
            open_provider(dataclasses.replace(case.profile, adapter=adapter), Path(folder)).close()
        except (AdapterError, ProviderUnreachable):
            return False
    return True
