"""Logs as JSON lines with the request's id, without tokens, codes, passwords or telephone numbers."""

import logging
import re
from datetime import UTC, datetime
from typing import Any

import orjson
import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from config.paths import LIVENESS, READINESS

# Database errors quote the offending value: mask e-mail addresses and longer numbers. Matches start only at a
# word's beginning, since trying every letter of a very long word would take minutes.
_PERSONAL = re.compile(r"(?<![^\s'\"(])[^\s'\"(]+@[^\s'\")]+|\d{5,}")
# PostgreSQL quotes the whole row, with names and hashes; its values may span several lines.
_DETAIL = re.compile(r"\bDETAIL: .*?(?=\n\nThe above exception|\n\nDuring handling|\Z)", re.DOTALL)
# The holder of such a link can unsubscribe, set a password of staff, or see a shared list.
_SECRET_PATH = re.compile(r"(/shop/notices/|/shared/|/home/unsubscribe/|/password_reset/confirm/)[^\s'\"?]+")

# The record attribute with the facts of a request, whose values need no processors.
FACTS = "request_facts"


def _mask(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    event["event"] = _DETAIL.sub("DETAIL: …", str(event.get("event", "")))
    if "exception" in event:
        event["exception"] = _PERSONAL.sub("…", _DETAIL.sub("DETAIL: …", event["exception"]))
    for name in {"event", "path", "exception"} & event.keys():
        event[name] = _SECRET_PATH.sub(r"\1…", str(event[name]))
    return event


_STAMPS: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso"),
]


class JsonLines(structlog.stdlib.ProcessorFormatter):
    """Formats each record as a line of JSON; a request's record directly, in a fifth of the time."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        facts: dict[str, Any] | None = getattr(record, FACTS, None)
        if facts is None:
            return super().format(record)
        line = {
            **facts,
            "path": _SECRET_PATH.sub(r"\1…", facts["path"]),
            "event": record.getMessage(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "timestamp": datetime.fromtimestamp(record.created, UTC),
        }
        return orjson.dumps(line, option=orjson.OPT_UTC_Z).decode()


def _is_no_probe(record: logging.LogRecord) -> bool:
    """Return False for the answer of a health check, which logs its changes itself; True for its faults."""
    path = getattr(getattr(record, "request", None), "path_info", "")
    return path not in (LIVENESS, READINESS) or bool(record.exc_info)


def logging_config(level: str) -> dict[str, Any]:
    """Return the logging configuration of Django, the web server and the consumers."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "json": {
                "()": JsonLines,
                "foreign_pre_chain": [structlog.stdlib.ExtraAdder(allow=[]), *_STAMPS],
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    # Without local variables, which may contain customers' data.
                    structlog.processors.format_exc_info,
                    _mask,
                    structlog.processors.JSONRenderer(ensure_ascii=False),
                ],
            }
        },
        "filters": {"no_probes": {"()": "django.utils.log.CallbackFilter", "callback": _is_no_probe}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # huey would add a plain-text handler, and a line for each task.
            "huey": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
            "huey.consumer": {"level": level},
            "huey.consumer.Scheduler": {"level": "WARNING"},
            # Each saved picture causes four tasks of Wagtail's search index.
            "django_tasks": {"level": "WARNING"},
            # A refusal is already in the request's log line; a fault is not.
            "django.request": {"level": "ERROR", "filters": ["no_probes"]},
            # httpx would log each requested URL, with the signature in it.
            "httpx": {"level": "WARNING"},
            "httpcore": {"level": "WARNING"},
            # apprise would log whole numbers; its caller logs failures with the number masked.
            "apprise": {"handlers": [], "level": "CRITICAL", "propagate": False},
        },
    }


def configure_structlog() -> None:
    """Send structlog's events through the handlers of the standard library."""
    structlog.configure(
        processors=[*_STAMPS, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
