"""The demonstration's editorial content."""

from content.demo.pages import load_demo_content

__all__ = ["load_demo_content"]
