"""Profiles of providers, the tiers they are measured by, their known deviations, and the way to open a provider.

May import the catalogue and the provider SPI. Knows nothing of tests and verdicts: the effect of a deviation on an
outcome is decided elsewhere.
"""

from tck.profile.adapter import (
    check_adapter,
    check_bridge,
    check_provider,
    leave_with,
    open_bridges,
    open_channels,
    open_converter,
    open_provider,
)
from tck.profile.baseline import write_baseline
from tck.profile.bridges import DEFAULT_BRIDGE, Bridge, bridge_names, load_bridge
from tck.profile.errors import AdapterError, ProfileError, ProviderUnreachable
from tck.profile.loader import load_profile
from tck.profile.locate import profile_names, profiles_directory
from tck.profile.model import Adapter, Claims, Declared, Deviation, Profile, Timing, Vary
from tck.profile.overriding import as_asked, beside, check_has_releases, override_settings, play
from tck.profile.tiers import TIERS, Tier, load_tier
from tck.profile.working_directory import work_directory

__all__ = [
    "DEFAULT_BRIDGE",
    "TIERS",
    "Adapter",
    "AdapterError",
    "Bridge",
    "Claims",
    "Declared",
    "Deviation",
    "Profile",
    "ProfileError",
    "ProviderUnreachable",
    "Tier",
    "Timing",
    "Vary",
    "as_asked",
    "beside",
    "bridge_names",
    "check_adapter",
    "check_bridge",
    "check_has_releases",
    "check_provider",
    "leave_with",
    "load_bridge",
    "load_profile",
    "load_tier",
    "open_bridges",
    "open_channels",
    "open_converter",
    "open_provider",
    "override_settings",
    "play",
    "profile_names",
    "profiles_directory",
    "work_directory",
    "write_baseline",
]
