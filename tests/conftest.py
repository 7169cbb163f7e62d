"""What holds for all tests of the kit: none is timed, since machines are shared and noisy."""

from hypothesis import HealthCheck, settings

pytest_plugins = ["leftovers"]  # nothing stays among the temporary files

settings.register_profile("kit", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kit")
