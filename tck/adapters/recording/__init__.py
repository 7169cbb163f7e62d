"""The recording wrapper: calls of the suite and callbacks of the provider, recorded at the boundary.

    provider = recorder.wrap(raw_provider)      # same SPI, whole object graph recorded
    ...
    recorder.events                             # dicts, made when asked for

Boundary, not instrumentation: a provider's own use of the API is not recorded. Exceptions pass unchanged, identity
and equality are the provider's, foreign messages and listeners arrive unwrapped.
"""

from tck.adapters.recording.recorder import OpenCall, Recorder
from tck.adapters.recording.warmup import warm_up

__all__ = ["OpenCall", "Recorder", "warm_up"]
