"""Run the page on a loopback port, until Ctrl-C."""

from __future__ import annotations

import logging
import secrets
import socket
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import uvicorn

from ..session import Session
from ..worker import Worker
from .app import build_app

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Address:
    """Where the page is.

    Attributes
    ----------
    port : int
    token : str
        For the first URL; the browser keeps a cookie instead.
    """

    port: int
    token: str

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self.port}/?token={self.token}"


def serve(
    session: Session,
    bound: socket.socket,
    *,
    say: Callable[[Address], Any],
    open_browser: bool = True,
) -> None:
    """Serve a session on 127.0.0.1, and say once where the page is.

    Parameters
    ----------
    session : Session
    bound : socket
        From :func:`bind`.
    say : callable
        Is given the address as soon as the page answers.
    open_browser : bool
    """
    address = Address(bound.getsockname()[1], secrets.token_urlsafe(32))
    worker = Worker(session)
    config = uvicorn.Config(
        build_app(session, worker, port=address.port, token=address.token),
        log_level="error", access_log=False, server_header=False, date_header=False,
        timeout_graceful_shutdown=1, h11_max_incomplete_event_size=32768, ws="none",
    )  # fmt: skip
    logging.getLogger("uvicorn.error").addFilter(_is_trouble)
    try:
        _Server(config, lambda: _announce(address, say, open_browser)).run(sockets=[bound])
    finally:
        worker.stop()
        bound.close()


class _Server(uvicorn.Server):
    """Tells when it answers, not before."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]):
        super().__init__(config)
        self._tell = started

    async def startup(self, sockets=None) -> None:
        await super().startup(sockets)
        self._tell()


def _is_trouble(record: logging.LogRecord) -> bool:
    """Open pages are cut off when the server ends; that is no error a person should read."""
    return "graceful shutdown" not in record.getMessage()


def _announce(address: Address, say: Callable[[Address], Any], open_browser: bool) -> None:
    say(address)
    if open_browser:
        webbrowser.open(address.url)


def bind(port: int) -> socket.socket:
    """A socket on a loopback port, 0 is any free one; one sentence where it is in use."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((LOOPBACK, port))
    except OSError as error:
        found.close()
        raise OSError(
            f"Port {port} cannot be used ({error.strerror}). Give another with --port, or --port 0 "
            "for any free one."
        ) from error
    return found
