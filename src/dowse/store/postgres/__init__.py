"""The PostgreSQL driver: statements translated, values converted, a connection that may break and is made again."""
