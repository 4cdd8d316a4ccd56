"""A thread that renews the model while the person reads."""

from __future__ import annotations

from threading import Event, Thread

from .session import Session


class Worker:
    """Renews a session's model whenever its labels changed; one renewal at a time.

    Parameters
    ----------
    session : Session

    Attributes
    ----------
    busy : bool
        Whether a renewal is going on.
    trouble : str or None
        Why the last one failed.
    """

    def __init__(self, session: Session):
        self.session = session
        self.busy = False
        self.trouble: str | None = None
        self._wanted, self._stop, self._choose = Event(), False, False
        self._seen: bytes | None = None
        self._thread = Thread(target=self._run, name="lapwing-renew", daemon=True)
        session.on_change.append(self._wanted.set)
        self._wanted.set()
        self._thread.start()

    def choose(self) -> None:
        """Choose the settings again, at once."""
        self._choose, self._seen = True, None
        self._wanted.set()

    def stop(self) -> None:
        """End after the present renewal; does not wait for it."""
        self._stop = True
        self._wanted.set()

    def _run(self) -> None:
        while True:
            self._wanted.wait()
            self._wanted.clear()
            if self._stop:
                return
            with self.session.lock:
                now = self.session.state.codes.tobytes()
            if now != self._seen:
                self._renew(now)

    def _renew(self, now: bytes) -> None:
        choose, self._choose = self._choose, False
        self.busy, self.trouble = True, None
        try:
            self.session.catch_up()
            self.session.renew(choose=choose)
        except Exception as error:
            self.trouble = f"{type(error).__name__}: {error}"
        finally:
            self._seen, self.busy = now, False
            self.session.announce()
