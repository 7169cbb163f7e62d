"""`ReferenceMetaData`: the description of this provider that a connection returns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from reference_provider.messages import JMSX_PROPERTIES
from tck.api import ConnectionMetaData

PROVIDER_NAME: Final = "JMS TCK reference provider"
PROVIDER_VERSION: Final = (1, 0)


class ReferenceMetaData(ConnectionMetaData):
    """The description, for the version of the specification that the connection follows."""

    __slots__ = ("_version",)

    def __init__(self, version: str) -> None:
        self._version = version

    @property
    def jms_version(self) -> str:
        """Return the version of the messaging API."""
        return self._version

    @property
    def jms_major_version(self) -> int:
        """Return the first number of the API version."""
        return int(self._version.split(".")[0])

    @property
    def jms_minor_version(self) -> int:
        """Return the second number of the API version."""
        return int(self._version.split(".")[1])

    @property
    def jms_provider_name(self) -> str:
        """Return the name of the provider."""
        return PROVIDER_NAME

    @property
    def provider_version(self) -> str:
        """Return the version of the provider."""
        return ".".join(str(number) for number in PROVIDER_VERSION)

    @property
    def provider_major_version(self) -> int:
        """Return the first number of the provider's version."""
        return PROVIDER_VERSION[0]

    @property
    def provider_minor_version(self) -> int:
        """Return the second number of the provider's version."""
        return PROVIDER_VERSION[1]

    def get_jmsx_property_names(self) -> Iterator[str]:
        """Return a fresh iterator over the names of the JMSX properties; all of them are supported."""
        return iter(JMSX_PROPERTIES)
