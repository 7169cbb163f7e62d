"""What holds for all tests of the kit: none is timed, since machines are shared and noisy."""

from hypothesis import HealthCheck, settings

from tck.termination import heed_ignored_signals

heed_ignored_signals()  # before any test starts a process: tests of interrupts hold also under `nohup ... &`

settings.register_profile("kit", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kit")
