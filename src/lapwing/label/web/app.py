"""The routes of the page."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import numpy as np
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    JSONResponse,
    PlainTextResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route

from ..errors import SessionFileError
from ..export import FORMATS, exported
from ..session import Session
from ..worker import Worker
from . import details
from .actions import ACTIONS
from .packets import packet
from .security import Guard

STATIC = Path(__file__).parent / "static"
HEARTBEAT = 15.0


class Page:
    """The routes over one session and its worker.

    Parameters
    ----------
    session : Session
    worker : Worker or None
        None: nothing is renewed in the background.
    """

    def __init__(self, session: Session, worker: Worker | None):
        self.session, self.worker = session, worker
        self._files = {path.name: path for path in STATIC.iterdir() if path.is_file()}

    def routes(self) -> list[Route]:
        return [
            Route("/", self.home),
            Route("/static/{name}", self.static),
            Route("/favicon.ico", self.icon),
            Route("/api/session", self.about),
            Route("/api/map", self.map),
            Route("/api/answers", self.answers),
            Route("/api/row/{point:int}", self.row),
            Route("/api/image/{point:int}", self.image),
            Route("/api/search", self.search),
            Route("/api/history", self.history),
            Route("/api/export/{format}", self.export),
            Route("/api/events", self.events),
            Route("/api/do/{action}", self.do, methods=["POST"]),
        ]

    def home(self, request: Request) -> Response:
        return FileResponse(self._files["index.html"])

    def static(self, request: Request) -> Response:
        path = self._files.get(request.path_params["name"])
        return (
            PlainTextResponse("There is no such file.", 404) if path is None else FileResponse(path)
        )

    def icon(self, request: Request) -> Response:
        return FileResponse(self._files["icon.svg"])

    def about(self, request: Request) -> Response:
        return JSONResponse(details.about(self.session))

    def map(self, request: Request) -> Response:
        kind = request.query_params.get("layout", "neighbors")
        columns = request.query_params.getlist("column")
        try:
            pair = (columns[0], columns[1]) if len(columns) == 2 else None
            found = self.session.coordinates(kind, pair)
        except ValueError as error:
            return PlainTextResponse(str(error), 400)
        return _binary(np.ascontiguousarray(found, dtype="<f4").tobytes())

    def answers(self, request: Request) -> Response:
        self.session.sync()
        return self._packet()

    def row(self, request: Request) -> Response:
        point = request.path_params["point"]
        if point >= self.session.rows.n_points:
            return PlainTextResponse("There is no such row.", 404)
        return JSONResponse(details.row(self.session, point))

    def image(self, request: Request) -> Response:
        rows, point = self.session.rows, request.path_params["point"]
        if rows.picture is None or point >= rows.n_points:
            return PlainTextResponse("There is no such picture.", 404)
        try:
            content, media = rows.picture(int(rows.first[point]))
        except (OSError, ValueError) as error:
            return PlainTextResponse(str(error), 404)
        return Response(content, media_type=media)

    def search(self, request: Request) -> Response:
        found = self.session.rows.find(request.query_params.get("q", ""))
        return _binary(found.astype("<u4").tobytes())

    def history(self, request: Request) -> Response:
        return JSONResponse(details.history(self.session))

    def export(self, request: Request) -> Response:
        format = request.path_params["format"]
        if format not in FORMATS:
            return PlainTextResponse(f"Formats are {', '.join(FORMATS)}.", 404)
        try:
            content = exported(self.session, format)
        except (ImportError, ValueError) as error:
            return PlainTextResponse(str(error), 400)
        name = f"{Path(self.session.rows.name).stem}-labeled.{format}"
        safe = "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "_" for c in name)
        headers = {"Content-Disposition": f'attachment; filename="{safe}"'}
        return Response(content, media_type="application/octet-stream", headers=headers)

    async def do(self, request: Request) -> Response:
        act = ACTIONS.get(request.path_params["action"])
        if act is None:
            return PlainTextResponse("There is no such action.", 404)
        try:
            given = json.loads(await request.body() or b"{}")
        except ValueError:
            return PlainTextResponse("The request is not JSON.", 400)
        if not isinstance(given, dict):
            return PlainTextResponse("The request must be a JSON object.", 400)
        return await asyncio.to_thread(self._done, act, given)

    def _done(self, act: Callable, given: dict[str, Any]) -> Response:
        """Act, which commits, and only then answer."""
        try:
            return self._packet(act(self.session, self.worker, given) or 0)
        except SessionFileError as error:
            return PlainTextResponse(str(error), 507)
        except (ValueError, TypeError, KeyError, OverflowError) as error:
            return PlainTextResponse(str(error) or "The request is not complete.", 400)

    def _packet(self, moved: int = 0) -> Response:
        return _binary(packet(self.session, self.worker, moved))

    async def events(self, request: Request) -> Response:
        return StreamingResponse(self._versions(request), media_type="text/event-stream")

    async def _versions(self, request: Request) -> AsyncIterator[str]:
        """The session's version, each time it grows."""
        loop, news = asyncio.get_running_loop(), asyncio.Event()

        def changed() -> None:
            loop.call_soon_threadsafe(news.set)

        self.session.on_change.append(changed)
        try:
            yield f"data: {self.session.version}\n\n"
            while not await request.is_disconnected():
                try:
                    await asyncio.wait_for(news.wait(), HEARTBEAT)
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                news.clear()
                yield f"data: {self.session.version}\n\n"
        finally:
            self.session.on_change.remove(changed)


def build_app(session: Session, worker: Worker | None, *, port: int, token: str) -> Guard:
    """The guarded application.

    Parameters
    ----------
    session : Session
    worker : Worker or None
    port : int
    token : str
        At least 256 random bits, for the first URL.
    """
    app = Starlette(routes=Page(session, worker).routes())
    limit = 65536 + 12 * session.rows.n_points
    return Guard(app, port=port, token=token, limit=limit)


def _binary(content: bytes) -> Response:
    return Response(content, media_type="application/octet-stream")
