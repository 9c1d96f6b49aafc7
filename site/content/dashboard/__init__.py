"""The back office's dashboard: pending work, reports, the preview at a later time, and rules of pages."""
