"""Faults in 3.11: the layout of bytes messages, and reads of several bytes."""

from faults.kit import *


@saboteur("3.11-13", "writeInt writes the low byte first", around=(ReferenceBytesMessage, "write_int"))
def _(original, self, value):
    self._writer().extend(value.to_bytes(4, "little", signed=True))


saboteur(
    "3.11-14",
    "readUnsignedByte returns negative values",
    lambda patch: patch.replace(ReferenceBytesMessage, "read_unsigned_byte", ReferenceBytesMessage.read_byte),
)


@saboteur("3.11-15", "writeUTF writes plain UTF-8", around=(ReferenceBytesMessage, "write_utf"))
def _(original, self, value):
    encoded = value.encode()
    self._writer().extend(len(encoded).to_bytes(2, "big") + encoded)


@saboteur("3.11-16", "readBytes returns 0 at the end", around=(ReferenceBytesMessage, "read_bytes"))
def _(original, self, buffer, length=OMITTED):
    count = original(self, buffer, length)
    return 0 if count < 0 and len(self._data) == 10 else count


@saboteur("3.11-17", "readBytes clips a length beyond the buffer", around=(ReferenceBytesMessage, "read_bytes"))
def _(original, self, buffer, length=OMITTED):
    try:
        return original(self, buffer, length)
    except IndexOutOfBoundsException:
        return original(self, buffer)


@saboteur("3.11-18", "getBodyLength returns the bytes that are left")
def _(patch):
    def length(self):
        self._check_readable()
        return len(self._data) - int(self._position)

    patch.replace(ReferenceBytesMessage, "body_length", property(length))
