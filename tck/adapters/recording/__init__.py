"""The recording wrapper: what the suite calls and what the provider calls back, seen at the boundary.

    provider = recorder.wrap(raw_provider)      # same SPI, whole object graph recorded
    ...
    recorder.events                             # dicts, made when asked for

Boundary, not instrumentation: a provider that uses its own API inside is not seen doing so. Exceptions pass untouched,
identity and equality are the provider's, foreign messages and listeners arrive where they were sent.
"""

from tck.adapters.recording.recorder import OpenCall, Recorder
from tck.adapters.recording.warmup import warm_up

__all__ = ["OpenCall", "Recorder", "warm_up"]
