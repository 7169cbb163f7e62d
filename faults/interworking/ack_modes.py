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


@declare("iw-2.6.2-7", "acknowledge after a pull has no numbers")
class _(_OfPulls):
    def pulled(self, number):
        self.proxy.acknowledge(())


@declare("iw-2.6.2-8 iw-2.6.2-12", "of what is pulled every tenth is acknowledged")
class _(_OfPulls):
    def pulled(self, number):
        if number % 10 == 9:
            super().pulled(number)


@declare("iw-2.6.2-11", "a pull that finds nothing is acknowledged")
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


class _AtTheStop(ReferenceBridge):
    def stop_bridge(self):
        super().stop_bridge()
        if isinstance(self.delivery, _Collecting):
            self.proxy.acknowledge(tuple(self.delivery.collected))


declare("iw-2.6.2-15", "pulled events are acknowledged at the stop", parts=standing(_Collecting, _AtTheStop))


@declare("iw-2.6.2-6 iw-2.6.2-10", "what is pulled without acknowledgment is acknowledged")
class _(at_channel.Pulling):
    def ask(self):
        found = super().ask()
        if found and not self.bridge.delivery.terms.on:
            self.bridge.proxy.acknowledge((0,))
        return found


# -- applications --------------------------------------------------------------------------------------------------


@declare("iw-2.6.2-5 iw-2.6.2-9 iw-2.6.2-13", "what an application has to acknowledge is acknowledged before")
class _(Awaiting):
    def awaits(self, number):
        return False


@declare("iw-2.6.2-16", "of what an application acknowledges the last is passed on")
class _(Awaiting):
    def settled(self, awaited, message_ids):
        return super().settled(awaited, message_ids)[-1:]

    def awaits(self, number):
        return True


@declare("iw-2.6.2-14", "a batch is acknowledged with the first of its messages")
class _(Awaiting):
    def refuse(self):
        pass

    def settled(self, awaited, message_ids):
        for number, left in awaited.items():
            if left & message_ids:
                awaited[number] = set()
        return super().settled(awaited, message_ids)
