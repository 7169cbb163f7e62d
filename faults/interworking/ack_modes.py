"""Faults of bridges that pull with acknowledgment, and of those that wait for the application's."""

from faults.interworking.kit import *


class _OfPulls(acknowledging.Consuming):
    """What acknowledges pulls otherwise, and pushes as it should."""

    def stored(self, number):
        if self.proxy.type.name.startswith("PULL"):
            self.pulled(number)
        else:
            super().stored(number)

    def pulled(self, number):
        super().stored(number)


@declare("iw-2.6.2-7", "acknowledge after a pull has no numbers", by=consuming)
class _(_OfPulls):
    def pulled(self, number):
        self.proxy.acknowledge(())


@declare("iw-2.6.2-8 iw-2.6.2-12", "of what is pulled every tenth is acknowledged", by=consuming)
class _(_OfPulls):
    def pulled(self, number):
        if number % 10 == 9:
            super().pulled(number)


@declare("iw-2.6.2-11", "a pull that finds nothing is acknowledged", by=consuming)
class _(_OfPulls):
    def pull(self, try_pull):
        found = super().pull(try_pull)
        if not found:
            self.proxy.acknowledge((0,))
        return found


class _Collecting(_OfPulls):
    def __init__(self, *given):
        super().__init__(*given)
        self.collected = []

    def pulled(self, number):
        self.collected.append(number)


@declare("iw-2.6.2-15", "what is pulled is acknowledged at the stop", at="mixin")
class _(ReferenceBridge):
    consuming = _Collecting

    def stop_bridge(self):
        super().stop_bridge()
        if isinstance(self.acknowledging, _Collecting):
            self._proxy.acknowledge(tuple(self.acknowledging.collected))


@declare("iw-2.6.2-6 iw-2.6.2-10", "what is pulled without acknowledgment is acknowledged", at="mixin")
class _(ReferenceBridge):
    def ask(self):
        found = super().ask()
        if found and isinstance(self, PulledToJms) and not self.acknowledging.terms.on:
            self._proxy.acknowledge((0,))
        return found


# -- applications --------------------------------------------------------------------------------------------------


@declare(
    "iw-2.6.2-5 iw-2.6.2-9 iw-2.6.2-13", "what an application has to acknowledge is acknowledged before", by=awaiting
)
class _(Awaiting):
    def stored(self, number):
        self.proxy.acknowledge((number,))


@declare("iw-2.6.2-16", "of what an application acknowledges the last is passed on", by=awaiting)
class _(Awaiting):
    def settled(self, awaited, message_ids):
        return super().settled(awaited, message_ids)[-1:]

    def stored(self, number):
        pass


@declare("iw-2.6.2-14", "a batch is acknowledged with the first of its messages", by=awaiting)
class _(Awaiting):
    def refuse(self):
        pass

    def settled(self, awaited, message_ids):
        for number, left in awaited.items():
            if left & message_ids:
                awaited[number] = set()
        return super().settled(awaited, message_ids)
