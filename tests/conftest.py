"""What holds for all tests of the kit: none is timed, since machines are shared and noisy; one that fails runs again."""

import pytest
from hypothesis import HealthCheck, settings
from run_again import RunAgain

settings.register_profile("kit", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kit")


def pytest_configure(config: pytest.Config) -> None:
    """Register what the tests of the kit need beside pytest's own."""
    if RunAgain.wanted(config):
        config.pluginmanager.register(RunAgain(config), "tck-run-again")
