"""Logs: a JSON object a line, with the request's id; never a token, code, password or telephone number."""

import re
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

# A database names the offending value in its errors: an address to write to, or any run of digits.
_PERSONAL = re.compile(r"[^\s'\"(]+@[^\s'\")]+|\d{5,}")


def _mask_faults(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    if "exception" in event:
        event["exception"] = _PERSONAL.sub("…", event["exception"])
    return event


_STAMPS: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso"),
]


def logging_config(level: str) -> dict[str, Any]:
    """Return what Django, the web server and the task consumer log by."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "json": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": [structlog.stdlib.ExtraAdder(allow=[]), *_STAMPS],
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    # Without local variables: they hold what customers type.
                    structlog.processors.format_exc_info,
                    _mask_faults,
                    structlog.processors.JSONRenderer(ensure_ascii=False),
                ],
            }
        },
        "handlers": {"stdout": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["stdout"], "level": level},
        "loggers": {
            # It would add its own handler, in plain text; a line for each task each minute is noise.
            "huey": {"handlers": ["stdout"], "level": "WARNING", "propagate": False},
            "huey.consumer": {"level": level},
            "huey.consumer.Scheduler": {"level": "WARNING"},
            # Each picture saved is four tasks of its search index.
            "django_tasks": {"level": "WARNING"},
            # Every refusal is in its request's line already; a fault is not.
            "django.request": {"level": "ERROR"},
            # It would tell whole numbers; what fails is logged by who calls it, with the number masked.
            "apprise": {"handlers": [], "level": "CRITICAL", "propagate": False},
        },
    }


def configure_structlog() -> None:
    """Send structlog's own events through the standard library's handlers."""
    structlog.configure(
        processors=[*_STAMPS, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
