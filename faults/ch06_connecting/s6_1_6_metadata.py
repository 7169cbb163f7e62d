"""Faults in 6.1.6: connection metadata."""

from faults.kit import *


def _getter(patch, name, value):
    patch.replace(ReferenceMetaData, name, property(lambda self: value))


@saboteur(
    "6.1.6-1",
    "getMetaData() returns null while the connection is stopped or not started",
    collateral={
        **{f"6.1.6-{number}": "it reads the metadata of a stopped connection too" for number in (2, 3, 4, 5, 6, 8)}
    },
)
def _(patch):
    def meta_data(connection):
        return ReferenceMetaData(connection.server.version) if connection.running else None

    patch.replace(ReferenceConnection, "meta_data", property(meta_data))


@saboteur("6.1.6-2", "getJMSVersion() is the version of the product")
def _(patch):
    text = ".".join(map(str, PROVIDER_VERSION))
    _getter(patch, "jms_version", text)
    _getter(patch, "jms_major_version", PROVIDER_VERSION[0])
    _getter(patch, "jms_minor_version", PROVIDER_VERSION[1])


saboteur("6.1.6-3", "getJMSMajorVersion() stays 1", lambda patch: _getter(patch, "jms_major_version", 1))
saboteur(
    "6.1.6-4",
    "getJMSProviderName() is null",
    lambda patch: _getter(patch, "jms_provider_name", None),
    collateral={"6.1.6-1": "it asks the metadata for the name of the provider"},
)
saboteur(
    "6.1.6-5",
    "getProviderVersion() is null",
    lambda patch: _getter(patch, "provider_version", None),
    collateral={"6.1.6-6": "it needs the text to compare with"},
)


@saboteur("6.1.6-6", "the major and the minor version of the provider are exchanged")
def _(patch):
    _getter(patch, "provider_major_version", PROVIDER_VERSION[1])
    _getter(patch, "provider_minor_version", PROVIDER_VERSION[0])


@saboteur(
    "6.1.6-8",
    "getJMSXPropertyNames() lists the properties of the vendor too",
    around=(ReferenceMetaData, "get_jmsx_property_names"),
)
def _(original, self):
    yield from original(self)
    yield "JMS_REFERENCE_ORIGIN"
