"""Faults of the base service of a channel: its filters, its operations, its properties; and of what a filter sees of a message."""

from faults.interworking.kit import *

NEW = ("DeliveryReliability", "Retries", "RetryInterval")


class _Equal(Filter):
    def match_structured(self, event):
        texts = [each.constraint_expression.constraint_expr for each in self.get_all_constraints()]
        return all("==" in text and "+" not in text for text in texts) and super().match_structured(event)


@declare("iw-4.1-5", "constraints that are no plain equality match nothing", by=filtering)
class _(EtclFilters):
    def create_filter(self, constraint_grammar):
        super().create_filter(constraint_grammar)
        return _Equal(self._clock.now)


@declare("iw-4.1-6", "there are no mapping filters", by=filtering)
class _(EtclFilters):
    def create_mapping_filter(self, constraint_grammar, default_value):
        raise InvalidGrammar(f"mapping filters of {constraint_grammar} are not made")


@declare("iw-4.1-1", "obtain_notification_pull_consumer is not implemented", by=each_channel)
def _(channel):
    def obtain(kind):
        raise NotImplementedError(f"no proxy that pulls from suppliers of {kind.name}")

    channel.default_supplier_admin.obtain_notification_pull_consumer = obtain


@declare("iw-4.1-7", "the new names are bad properties", by=each_channel)
def _(channel):
    take = channel.set_qos

    def set_qos(qos):
        if bad := [PropertyError(QoSErrorCode.BAD_PROPERTY, name) for name in qos if name in NEW]:
            raise UnsupportedQoS(*bad)
        take(qos)

    channel.set_qos = set_qos


@declare("iw-4.1-8", "an OrderPolicy that does not exist is taken silently", by=each_channel)
def _(channel):
    take = channel.set_qos
    channel.set_qos = lambda qos: take({name: value for name, value in qos.items() if name != ORDER_POLICY})


declare(
    "iw-2.4.1-27",
    "headers are not in the filterable data",
    of_event=lambda message, made: with_data(
        made, lambda items: tuple(each for each in items if not each.name.startswith("JMS"))
    ),
)
