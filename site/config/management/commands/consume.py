"""Runs the workers of one queue of background tasks."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.module_loading import autodiscover_modules
from huey.consumer import Consumer, Worker

from core.queues import QUEUES, close_idle_connections

# The share of the stop time for running tasks; then they are abandoned, and the next start finds them.
SHARE_FOR_TASKS = 0.8


class IdleWorker(Worker):
    """A worker that closes its database connection when it finds no task."""

    def loop(self, now: Any = None) -> None:
        """Run the next task, or wait for one."""
        tasks = self.task_count
        super().loop(now)
        if self.task_count == tasks:
            close_idle_connections(but=self.huey)


class IdleConsumer(Consumer):
    """A consumer with these workers."""

    worker_class = IdleWorker


class Command(BaseCommand):
    """Runs the tasks of a queue until SIGINT, which lets running tasks finish, or SIGTERM."""

    help = "Run the workers of one queue of background tasks, and its scheduler."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("queue", choices=QUEUES)

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the tasks of the queue."""
        autodiscover_modules("tasks")
        queue = QUEUES[options["queue"]]
        consumer = IdleConsumer(
            queue.huey, workers=queue.workers, shutdown_timeout=SHARE_FOR_TASKS * settings.STOP_SECONDS
        )
        consumer.run()
