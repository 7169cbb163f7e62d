"""Faults of repeated deliveries; see `tck.check.properties.repeat`."""

from faults.kit import *


@breaks("count-rises", at=fault_points.HANDED_OVER)
def _(original, *arguments):
    delivery = original(*arguments)
    delivery.count = min(delivery.count, 2)
    return delivery


@breaks("one-holder")
def _held_twice(patch):
    strikes = now_and_then()

    def open_delivery(original, state, consumer, delivery_queue, entry):
        delivery = original(state, consumer, delivery_queue, entry)
        broker = state.broker

        def free_again():
            with broker.lock:
                if entry.number in delivery_queue.numbers():
                    delivery_queue.put_back(entry, 1)

        if delivery.count == 1 and state.mode == Session.CLIENT_ACKNOWLEDGE and strikes():
            broker.clock.call_at(broker.clock.now() + 1, free_again)
        return delivery

    patch.at(fault_points.HANDED_OVER, open_delivery)


@breaks("settled-survives-restart")
def _forgotten_by_the_file(patch):
    patch.replace(Delivery, "forget_statements", lambda self: [])


@breaks("auto-last-only")
def _acknowledged_at_the_end(patch):
    kept = {}
    left, shut = ReferenceSession.abandon, ReferenceSession.shut

    def settle(original, state, delivery):
        if state.mode == Session.AUTO_ACKNOWLEDGE:
            kept.setdefault(id(state), (state, []))[1].append(delivery)
        else:
            original(state, delivery)

    def abandon(self):
        _, deliveries = kept.pop(id(self.state), (None, []))
        left(self)
        self.broker.redelivery.redeliver(deliveries)

    def shut_(self):
        done = shut(self)
        _, deliveries = kept.pop(id(self.state), (None, []))
        for delivery in deliveries:
            SingleAcknowledgement(self.broker, delivery, durable=True).perform()
        return done

    patch.at(fault_points.SETTLED, settle)
    patch.replace(ReferenceSession, "abandon", abandon)
    patch.replace(ReferenceSession, "shut", shut_)
