"""The dashboard of the back office: pending work, reports, the preview of a later time, rules of pages."""
