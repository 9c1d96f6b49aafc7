"""What the parcels of orders cost, added up by the database."""

from typing import Any

from django.db.models import DecimalField, Func


class FreightOfParcels(Func):
    """The freight of stored parcels in dollars; no amount of freight where they are not as orders store them.

    Each has it as a text of dollars and cents.
    """

    output_field = DecimalField(max_digits=12, decimal_places=2)

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """Add it up as PostgreSQL does, exactly."""
        template = (
            "(SELECT COALESCE(SUM(CASE WHEN parcel ->> 'freight' ~ '^[0-9]{1,10}[.][0-9]{2}$'"
            " THEN (parcel ->> 'freight')::numeric ELSE 'NaN' END), 0)"
            " FROM jsonb_array_elements(CASE jsonb_typeof(%(expressions)s) WHEN 'array' THEN %(expressions)s"
            " ELSE '[0]' END) AS one (parcel))"
        )
        return self.as_sql(compiler, connection, template=template, **context)

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """Add it up as SQLite does, in binary fractions, and round it to cents."""
        template = (
            "(SELECT ROUND(COALESCE(SUM(CASE WHEN printf('%%%%.2f', freight) = freight"
            " THEN CAST(freight AS REAL) ELSE -1e15 END), 0), 2) FROM ("
            "SELECT CASE type WHEN 'object' THEN json_extract(value, '$.freight') END AS freight"
            " FROM json_each(CASE json_type(%(expressions)s) WHEN 'array' THEN %(expressions)s"
            " ELSE '[0]' END)))"
        )
        return self.as_sql(compiler, connection, template=template, **context)
