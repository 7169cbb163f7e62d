"""Faults in 2.7: the classic API."""

from faults.kit import *


@saboteur("2.7-1", "a factory that has created a Connection refuses to create a JMSContext")
def _(patch):
    used = []
    connecting, creating = ReferenceConnectionFactory.create_connection, ReferenceConnectionFactory.create_context

    def create_connection(self, *arguments, **options):
        used.append(self)
        return connecting(self, *arguments, **options)

    def create_context(self, **options):
        if any(self is one for one in used):
            raise IllegalStateRuntimeException("the factory makes connections")
        return creating(self, **options)

    patch.replace(ReferenceConnectionFactory, "create_connection", create_connection)
    patch.replace(ReferenceConnectionFactory, "create_context", create_context)
