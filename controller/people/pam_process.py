"""Asks the machine's PAM whether a password is an account's.  A program of its own: whatever a directory does, it ends.

Takes service, account and password from its input, each ended by a zero byte; its status is the answer, and it says
nothing: a module of PAM could say too much.  It needs the standard library and libpam alone.
"""

from __future__ import annotations

import ctypes
import signal
import sys
from typing import Any, Final

RIGHT: Final = 0
WRONG: Final = 10
BARRED: Final = 11  # the password is right, and the account may not be used: locked, expired, a new password is due
NO_PAM: Final = 12  # the library is not installed
UNTOLD: Final = 64  # and above: nobody could tell, by this code of PAM
LONGEST: Final = 30  # seconds, if nobody ends it before

_SUCCESS, _CONV_ERR, _BUF_ERR = 0, 19, 5
_PROMPT_ECHO_OFF, _PROMPT_ECHO_ON = 1, 2
_SILENT, _NO_EMPTY_PASSWORD = 0x8000, 0x1
_NOT_THEIRS: Final = (7, 10, 11)  # authentication error, unknown user, too many tries
_NOT_NOW: Final = (6, 7, 10, 12, 13)  # denied, error, unknown, a new password is due, expired


class _Message(ctypes.Structure):
    _fields_ = (("style", ctypes.c_int), ("text", ctypes.c_char_p))


class _Response(ctypes.Structure):
    _fields_ = (("text", ctypes.c_void_p), ("code", ctypes.c_int))


_Talk = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_int,
    ctypes.POINTER(ctypes.POINTER(_Message)),
    ctypes.POINTER(ctypes.POINTER(_Response)),
    ctypes.c_void_p,
)


class _Conversation(ctypes.Structure):
    _fields_ = (("talk", _Talk), ("data", ctypes.c_void_p))


def check(service: bytes, account: bytes, password: bytes) -> int:
    """Returns the answer."""
    try:
        ctypes.CDLL("libpam.so.0", ctypes.RTLD_GLOBAL)
    except OSError:
        return NO_PAM
    pam = libc = ctypes.CDLL(None)  # everything that is loaded, in its order
    libc.calloc.restype = libc.strdup.restype = ctypes.c_void_p
    libc.calloc.argtypes, libc.strdup.argtypes = (ctypes.c_size_t, ctypes.c_size_t), (ctypes.c_char_p,)
    for deed in (pam.pam_authenticate, pam.pam_acct_mgmt, pam.pam_end):
        deed.argtypes = (ctypes.c_void_p, ctypes.c_int)

    def talk(count: int, messages: Any, responses: Any, _data: Any) -> int:
        """Answers every question that is not shown with the password; libpam frees the answers."""
        answers = libc.calloc(count, ctypes.sizeof(_Response))
        if not answers:
            return _BUF_ERR
        responses[0] = ctypes.cast(answers, ctypes.POINTER(_Response))
        for n in range(count):
            if messages[n].contents.style == _PROMPT_ECHO_OFF:
                responses[0][n].text = libc.strdup(password)
            elif messages[n].contents.style == _PROMPT_ECHO_ON:
                return _CONV_ERR  # something else than a password is asked, which nobody here knows
        return _SUCCESS

    handle, conversation = ctypes.c_void_p(), _Conversation(_Talk(talk), None)
    code: int = pam.pam_start(service, account, ctypes.byref(conversation), ctypes.byref(handle))
    if code != _SUCCESS:
        return UNTOLD + code
    code = pam.pam_authenticate(handle, _SILENT | _NO_EMPTY_PASSWORD)
    proved = code == _SUCCESS
    if proved:
        code = pam.pam_acct_mgmt(handle, _SILENT | _NO_EMPTY_PASSWORD)
    pam.pam_end(handle, code)
    return _answer(code, proved)


def _answer(code: int, proved: bool) -> int:
    if code == _SUCCESS:
        return RIGHT
    if proved:
        return BARRED if code in _NOT_NOW else UNTOLD + code
    return WRONG if code in _NOT_THEIRS else UNTOLD + code


def main() -> int:
    """Runs the program and returns its exit status."""
    signal.alarm(LONGEST)
    given = sys.stdin.buffer.read(4096).split(b"\0")
    return check(*given[:3]) if len(given) == 4 else UNTOLD


if __name__ == "__main__":
    sys.exit(main())
