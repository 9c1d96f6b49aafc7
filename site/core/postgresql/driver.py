"""psycopg as Django expects it in `DatabaseWrapper.Database`, with the connections of this package."""

from psycopg import *  # noqa: F403

from core.postgresql import Connection

connect = Connection.connect
