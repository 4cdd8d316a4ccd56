"""Who may talk to the page: every request passes here first. The reasons are in SECURITY.md."""

from __future__ import annotations

import hmac
import secrets
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SAFE_METHODS = ("GET", "HEAD")
LONGEST_QUERY = 4096

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
}

_ENTER = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Lapwing</title>
<meta http-equiv="refresh" content="0;url=/"><p><a href="/">Open the page</a></p></html>"""


class Guard:
    """ASGI middleware: host, token, origin, size, and the headers of every answer.

    Parameters
    ----------
    app : ASGI application
    port : int
        The port of the server; another port in ``Host`` is refused.
    token : str
        What the first URL carries. It is answered with a cookie of another secret.
    limit : int
        Bytes that a request's body may have.
    """

    def __init__(self, app: ASGIApp, *, port: int, token: str, limit: int):
        self.app, self.port, self.limit = app, port, limit
        self._token, self._secret = token, secrets.token_urlsafe(32)
        self.cookie = f"lapwing-{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self.app(scope, receive, send)
        if scope["type"] != "http":
            return None
        send = _with_headers(send)
        headers = Headers(scope=scope)
        answer = self._refusal(scope, headers)
        if answer is not None:
            return await answer(scope, receive, send)
        if scope["method"] not in SAFE_METHODS:
            body = await self._body(receive)
            if body is None:
                return await self._too_large()(scope, receive, send)
            receive = _again(body, receive)
        return await self.app(scope, receive, send)

    def _refusal(self, scope: Scope, headers: Headers):
        if not is_own_host(headers.getlist("host"), self.port):
            return _no("This page answers to 127.0.0.1 and localhost only.", 403)
        if len(scope["query_string"]) > LONGEST_QUERY:
            return _no("The address is too long.", 414)
        if scope["path"] == "/" and b"token=" in scope["query_string"]:
            return self._enter(scope)
        if not self._knows(headers):
            return _no("Open the address that lapwing printed in the terminal.", 403)
        if scope["method"] not in SAFE_METHODS:
            return self._unsafe(headers)
        return None

    def _unsafe(self, headers: Headers):
        if not is_same_origin(headers):
            return _no("Only the page itself may do that.", 403)
        if headers.get("content-type", "").partition(";")[0] != "application/json":
            return _no("Requests are JSON.", 415)
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self.limit:
            return self._too_large()
        return None

    def _enter(self, scope: Scope):
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])
        if len(given) != 1 or not _same(given[0], self._token):
            return _no("The token is wrong: open the address that lapwing printed.", 403)
        answer = HTMLResponse(_ENTER)
        answer.set_cookie(self.cookie, self._secret, path="/", httponly=True, samesite="strict")
        return answer

    def _knows(self, headers: Headers) -> bool:
        jar = SimpleCookie()
        try:
            jar.load(headers.get("cookie", ""))
        except CookieError:
            return False
        return self.cookie in jar and _same(jar[self.cookie].value, self._secret)

    async def _body(self, receive: Receive) -> bytes | None:
        """The request's body, or None where it is longer than the limit."""
        body = b""
        while len(body) <= self.limit:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body", False):
                return body if len(body) <= self.limit else None
        return None

    def _too_large(self):
        return _no(f"The request is larger than {self.limit} bytes.", 413)


def is_own_host(hosts: list[str], port: int) -> bool:
    """Whether a request was sent to a loopback name: otherwise DNS rebinding gets in.

    Examples
    --------
    >>> is_own_host(["localhost:8000"], 8000), is_own_host(["evil.example:8000"], 8000)
    (True, False)
    >>> is_own_host(["[::1]:8000"], 8000), is_own_host(["127.0.0.1:81"], 8000)
    (True, False)
    """
    if len(hosts) != 1:
        return False
    try:
        parts = urlsplit(f"//{hosts[0]}")
        name, given = parts.hostname, parts.port
    except ValueError:
        return False
    if parts.netloc != hosts[0] or "@" in hosts[0] or name is None or given != port:
        return False
    try:
        return str(ip_address(name)) in ("127.0.0.1", "::1")
    except ValueError:
        return name == "localhost"


def is_same_origin(headers: Headers) -> bool:
    """Whether the page itself sent the request, as its headers tell; programs send neither."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is None or origin == f"http://{headers.get('host')}"


def _again(body: bytes, receive: Receive) -> Receive:
    """Hand out a body that was read already, then what else comes."""
    given = False

    async def received() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return received


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
        await send(message)

    return sent


def _no(sentence: str, status: int) -> PlainTextResponse:
    return PlainTextResponse(sentence, status)


def _same(a: str, b: str) -> bool:
    return hmac.compare_digest(a.encode(), b.encode())
