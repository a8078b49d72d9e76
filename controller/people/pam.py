"""People whose password the machine's PAM knows: through it a house's directory is reached (LDAP, Active Directory).

A directory may hang, and nothing ends a module of PAM that does: so each check is a program of its own, which is ended
when its time is over.  After that nobody is asked for a while, so that a console never waits for long.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structlog

from controller.people import pam_process
from controller.people.pin_result import PinResult

SERVICE: Final = "feltd"  # in /etc/pam.d
SERVICE_FILE: Final = Path("/etc/pam.d") / SERVICE  # without it PAM would take what holds for any other service
PATIENCE: Final = 5.0  # seconds for one check
PAUSE: Final = 30.0  # seconds in which nobody is asked after one that did not answer
SAY_EVERY: Final = 60.0  # seconds between two lines of the log on the same cause
_LAST: Final = 1.0  # seconds for a program that was killed
_ANSWERS: Final = {
    pam_process.RIGHT: PinResult.RIGHT,
    pam_process.WRONG: PinResult.WRONG,
    pam_process.BARRED: PinResult.BARRED,
}
_CODES: Final = {  # of PAM, as far as a technician can do something about them
    3: "a module of the service failed",
    4: "the system failed",
    6: "permission was denied",
    9: "the directory cannot be reached",
    19: "the service asks for more than a password",
    26: "the service or one of its modules is not there",
    28: "a module of the service is not there",
}

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class PamAccount:
    """An account of the machine or of its directory, whose password is what somebody enters as the PIN."""

    account: str


class PamChecks:
    """Asks PAM whether a password is an account's."""

    def __init__(
        self, patience: float = PATIENCE, pause: float = PAUSE, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._patience, self._pause, self._now = patience, pause, now
        self._not_before = float("-inf")
        self._untold_for: dict[str, tuple[float, int]] = {}  # cause -> when it was last said, how often it came since

    async def check(self, account: str, password: str) -> PinResult:
        """Returns what PAM says, in bounded time."""
        if "\0" in password:
            return PinResult.WRONG  # no password has it
        if self._now() < self._not_before:
            return PinResult.UNTOLD
        if not SERVICE_FILE.exists():
            return self._untold(f"there is no {SERVICE_FILE}", account)
        try:
            status = await self._asked(account, password)
        except TimeoutError:
            self._not_before = self._now() + self._pause
            return self._untold(f"PAM did not answer in {self._patience:g} s", account)
        except OSError as error:
            return self._untold(error.strerror or "no program can be started", account)
        if status not in _ANSWERS:
            return self._untold(_in_words(status), account)
        return _ANSWERS[status]

    def _untold(self, what: str, account: str) -> PinResult:
        """Says why nobody could tell: each cause at once, then now and then with how often it came."""
        last, times = self._untold_for.get(what, (float("-inf"), 0))
        times += 1
        if self._now() - last >= SAY_EVERY:
            log.warning("sign-in.unchecked", what=what, account=account, times=times)
            last, times = self._now(), 0
        self._untold_for[what] = last, times
        return PinResult.UNTOLD

    async def _asked(self, account: str, password: str) -> int:
        given = b"".join(text.encode(errors="surrogatepass") + b"\0" for text in (SERVICE, account, password))
        nowhere = asyncio.subprocess.DEVNULL
        program = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-S", str(Path(pam_process.__file__))),
            stdin=asyncio.subprocess.PIPE,
            stdout=nowhere,
            stderr=nowhere,
        )
        try:
            async with asyncio.timeout(self._patience):
                await program.communicate(given)
                return await program.wait()
        finally:
            if program.returncode is None:
                program.kill()
                await asyncio.wait([asyncio.ensure_future(program.wait())], timeout=_LAST)


def _in_words(status: int) -> str:
    """Returns why PAM could not tell.

    >>> _in_words(pam_process.UNTOLD + 9), _in_words(pam_process.UNTOLD + 5), _in_words(-9)
    ('the directory cannot be reached', 'PAM says 5', 'the program that asks PAM ended with -9')
    """
    if status == pam_process.NO_PAM:
        return "libpam is not installed"
    if status < pam_process.UNTOLD:
        return f"the program that asks PAM ended with {status}"
    return _CODES.get(status - pam_process.UNTOLD, f"PAM says {status - pam_process.UNTOLD}")
