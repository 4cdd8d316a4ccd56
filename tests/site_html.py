"""Reads the built pages."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit


class Page(HTMLParser):
    """Ids, links, what is fetched, and the text of a page."""

    def __init__(self, path: Path, root: Path):
        super().__init__()
        self.where = path.relative_to(root).as_posix()
        self.ids: dict[str, int] = {}
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.text = ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if found.get("id"):
            self.ids[found["id"]] = len(self.text)
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])
        if tag in ("script", "img", "iframe", "source", "video") and found.get("src"):
            self.fetched.append(found["src"])
        if tag == "link" and found.get("rel") in ("stylesheet", "preload", "icon", "preconnect"):
            self.fetched.append(found.get("href") or "")

    def handle_data(self, data):
        self.text += data

    def inside(self) -> set[str]:
        """The pages of this site that it links."""
        targets = {urlsplit(urljoin(self.where, link)) for link in self.links}
        return {unquote(t.path) for t in targets if not t.scheme and t.path}
