"""The little of io_uring that one benchmark needs: append some bytes and make them durable, without a thread.

Only for measuring what that would give; nothing of the product uses it (docs/decisions/commits.md).
"""

from __future__ import annotations

import ctypes
import mmap
import os
import select
from typing import ClassVar, Final

SETUP, ENTER, REGISTER = 425, 426, 427  # numbers of the system calls, the same on every 64-bit machine
EVENTFD: Final = 4  # what is registered
WRITE, FSYNC = 23, 3
LINK: Final = 1 << 2  # the next one begins when this one has ended
DATASYNC: Final = 1
SQ_RING, CQ_RING, SQES = 0, 0x8000000, 0x10000000  # offsets of what is mapped
ENTRY: Final = 64  # bytes of a submission

_LIBC = ctypes.PyDLL(None, use_errno=True)


class _Offsets(ctypes.Structure):
    _fields_: ClassVar = [
        *((name, ctypes.c_uint32) for name in ("head", "tail", "mask", "entries", "a", "b", "c", "d")),
        ("user", ctypes.c_uint64),
    ]


class _Params(ctypes.Structure):
    _fields_: ClassVar = [
        *((name, ctypes.c_uint32) for name in ("sq", "cq", "flags", "cpu", "idle", "features", "wq")),
        ("reserved", ctypes.c_uint32 * 3),
        ("sq_off", _Offsets),
        ("cq_off", _Offsets),
    ]


class Ring:
    """One ring; `wait` returns when everything that was submitted has ended."""

    def __init__(self) -> None:
        """Raises OSError where the kernel has none, or forbids it."""
        params = _Params()
        self._fd = _call(SETUP, 8, ctypes.byref(params))
        self._sq = mmap.mmap(self._fd, params.sq_off.c + 4 * params.sq, offset=SQ_RING)  # c: where its array is
        self._cq = mmap.mmap(self._fd, params.cq_off.b + 16 * params.cq, offset=CQ_RING)  # b: where its entries are
        self._entries = mmap.mmap(self._fd, ENTRY * params.sq, offset=SQES)
        self._params = params
        self._told = os.eventfd(0, os.EFD_NONBLOCK)
        _call(REGISTER, self._fd, EVENTFD, ctypes.byref(ctypes.c_int(self._told)), 1)
        self._epoll = select.epoll()
        self._epoll.register(self._told, select.EPOLLIN)
        self._waiting = 0

    def append(self, file: int, data: bytes, at: int) -> None:
        """Begins to write `data` at this place of a file and then to make it durable."""
        self._data = ctypes.create_string_buffer(data, len(data))  # until it has been written
        self._put(WRITE, LINK, file, ctypes.addressof(self._data), len(data), at)
        self._put(FSYNC, 0, file, 0, 0, 0, DATASYNC)
        self._submit(2)

    def sync(self, file: int) -> None:
        """Begins to make durable what was written to a file."""
        self._put(FSYNC, 0, file, 0, 0, 0, DATASYNC)
        self._submit(1)

    def wait(self) -> None:
        """Waits as an event loop does, for a file descriptor to be readable; raises OSError when something failed."""
        while self._waiting:
            self._epoll.poll()
            os.eventfd_read(self._told)
            off = self._params.cq_off
            head, tail, mask = _word(self._cq, off.head), _word(self._cq, off.tail), _word(self._cq, off.mask)
            while head.value != tail.value:
                entry = off.b + 16 * (head.value & mask.value)
                result = ctypes.c_int32.from_buffer(self._cq, entry + 8).value
                head.value += 1
                self._waiting -= 1
                if result < 0:
                    raise OSError(-result, os.strerror(-result))

    def close(self) -> None:
        """Gives it back."""
        self._epoll.close()
        os.close(self._told)
        os.close(self._fd)

    def _put(self, code: int, flags: int, file: int, address: int, size: int, at: int, how: int = 0) -> None:
        off = self._params.sq_off
        tail, mask = _word(self._sq, off.tail), _word(self._sq, off.mask)
        place = tail.value & mask.value
        entry = bytes([code, flags, 0, 0]) + file.to_bytes(4, "little") + at.to_bytes(8, "little")
        entry += address.to_bytes(8, "little") + size.to_bytes(4, "little") + how.to_bytes(4, "little")
        self._entries[place * ENTRY : (place + 1) * ENTRY] = entry.ljust(ENTRY, b"\0")
        _word(self._sq, off.c + 4 * place).value = place
        tail.value += 1

    def _submit(self, many: int) -> None:
        _call(ENTER, self._fd, many, 0, 0, None, 0)
        self._waiting += many


def _word(memory: mmap.mmap, offset: int) -> ctypes.c_uint32:
    return ctypes.c_uint32.from_buffer(memory, offset)


def _call(number: int, *arguments: object) -> int:
    result = int(_LIBC.syscall(number, *arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
