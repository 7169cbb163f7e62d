"""Faults in 2.6: interfaces common to all APIs."""

from faults.kit import *

saboteur(
    "2.6-1",
    "JMSContext.createStreamMessage is not supported",
    lambda patch: unsupported(patch, ReferenceContext, "create_stream_message", "a context makes no stream messages"),
)


@saboteur("2.6-2", "createProducer refuses destinations that a session created")
def _(patch):
    made = []
    for name in ("create_queue", "create_topic", "create_temporary_queue", "create_temporary_topic"):
        _note_made(patch, name, made)

    def create_producer(original, self, destination):
        if any(destination is one for one in made):
            raise InvalidDestinationException(f"{destination} is not administered")
        return original(self, destination)

    patch.around(ReferenceSession, "create_producer", create_producer)


def _note_made(patch, name, made):
    original = getattr(SessionFactories, name)

    def make(self, *arguments):
        destination = original(self, *arguments)
        made.append(destination)
        return destination

    patch.replace(SessionFactories, name, make)
