"""Faults in 10.3: resources that cannot be allocated."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.common import raising_instead
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.connection_factories import ReferenceConnectionFactory
from tck.api import JMSException, JMSRuntimeException, ResourceAllocationException, ResourceAllocationRuntimeException


@saboteur("10.3-44", "ConnectionFactory.createConnection() beyond the limit raises a plain JMSException")
def _(patch: Patch) -> None:
    of, wrong = ResourceAllocationException, JMSException
    raising_instead(patch, ReferenceConnectionFactory, "create_connection", of, wrong)


@saboteur("10.3-45", "a context beyond the limit is refused with a plain JMSRuntimeException")
def _(patch: Patch) -> None:
    def as_runtime(original: Callable[[JMSException], JMSRuntimeException], error: JMSException) -> JMSRuntimeException:
        made = original(error)
        return JMSRuntimeException(str(error)) if isinstance(made, ResourceAllocationRuntimeException) else made

    patch.at(fault_points.EXCEPTION_TRANSLATED, as_runtime)
