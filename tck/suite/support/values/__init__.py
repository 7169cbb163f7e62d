"""Values of messages as tables: headers, properties and bodies, how they are written, read, converted and compared."""
