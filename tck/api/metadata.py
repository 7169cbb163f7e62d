"""What a connection tells about its provider."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

__all__ = ["ConnectionMetaData"]


class ConnectionMetaData(ABC):
    """Describe the provider and the version of the API it implements."""

    __slots__ = ()

    @property
    @abstractmethod
    def jms_version(self) -> str:
        """Give the version of the messaging API, such as ``"3.1"``."""

    @property
    @abstractmethod
    def jms_major_version(self) -> int:
        """Give the first number of the API version."""

    @property
    @abstractmethod
    def jms_minor_version(self) -> int:
        """Give the second number of the API version."""

    @property
    @abstractmethod
    def jms_provider_name(self) -> str:
        """Give the name of the provider."""

    @property
    @abstractmethod
    def provider_version(self) -> str:
        """Give the version of the provider."""

    @property
    @abstractmethod
    def provider_major_version(self) -> int:
        """Give the first number of the provider's version."""

    @property
    @abstractmethod
    def provider_minor_version(self) -> int:
        """Give the second number of the provider's version."""

    @abstractmethod
    def get_jmsx_property_names(self) -> Iterator[str]:
        """Give a fresh iterator over the names of the JMSX properties that the provider supports."""
