"""Chapter 11, the facilities for application servers: connection consumers, server sessions and XA resources."""
