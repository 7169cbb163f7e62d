"""Profiles of providers and bridges, the tiers they are measured by, and their known deviations.

May import the catalogue and the provider SPI. Knows nothing of adapters, tests and verdicts: a room above opens the
provider that a profile names, and another decides the effect of a deviation on an outcome.
"""

from tck.profile.baseline import write_baseline
from tck.profile.bridges import DEFAULT_BRIDGE, Bridge, bridge_names, load_bridge
from tck.profile.channels import channel_names, on_channel
from tck.profile.errors import AdapterError, ProfileError, ProviderUnreachable
from tck.profile.loader import load_profile
from tck.profile.locate import profile_names, profiles_directory
from tck.profile.model import Adapter, Claims, Declared, Deviation, Disclaimed, Profile, Timing, Vary
from tck.profile.overriding import as_asked, beside, check_has_releases, override_settings, play
from tck.profile.tiers import TIERS, Tier, load_tier

__all__ = [
    "DEFAULT_BRIDGE",
    "TIERS",
    "Adapter",
    "AdapterError",
    "Bridge",
    "Claims",
    "Declared",
    "Deviation",
    "Disclaimed",
    "Profile",
    "ProfileError",
    "ProviderUnreachable",
    "Tier",
    "Timing",
    "Vary",
    "as_asked",
    "beside",
    "bridge_names",
    "channel_names",
    "check_has_releases",
    "load_bridge",
    "load_profile",
    "load_tier",
    "on_channel",
    "override_settings",
    "play",
    "profile_names",
    "profiles_directory",
    "write_baseline",
]
