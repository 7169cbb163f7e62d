"""What a connection tells about its provider."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

__all__ = ["ConnectionMetaData"]


class ConnectionMetaData(ABC):
    """Describe the provider and the version of the API it implements (section 6.1.6)."""

    __slots__ = ()

    @property
    @abstractmethod
    def jms_version(self) -> str:
        """Give the version of the messaging API, such as ``"3.1"`` (6.1.6-2)."""

    @property
    @abstractmethod
    def jms_major_version(self) -> int:
        """Give the first number of the API version (6.1.6-3)."""

    @property
    @abstractmethod
    def jms_minor_version(self) -> int:
        """Give the second number of the API version (6.1.6-3)."""

    @property
    @abstractmethod
    def jms_provider_name(self) -> str:
        """Give the name of the provider (6.1.6-4)."""

    @property
    @abstractmethod
    def provider_version(self) -> str:
        """Give the provider's version (6.1.6-5)."""

    @property
    @abstractmethod
    def provider_major_version(self) -> int:
        """Give the first number of the provider's version (6.1.6-6)."""

    @property
    @abstractmethod
    def provider_minor_version(self) -> int:
        """Give the second number of the provider's version (6.1.6-6)."""

    @abstractmethod
    def get_jmsx_property_names(self) -> Iterator[str]:
        """Give a fresh iterator over the names of the JMSX properties supported, those and no others (6.1.6-7,
        6.1.6-8).
        """
