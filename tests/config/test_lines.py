"""Every key of a TOML text is found on its line, however the text is laid out."""

from __future__ import annotations

from controller.config.lines import line_numbers

TEXT = '''\
# a comment
top = 1

[table]   # another
name = "T1"
text = """
[not.a.table]
"""
  list = [
  1,
  2]
a.b = 3

[device.shoe]
family = "x"
[options]
min = 1
[device."sensor.1"]
area = 1
inline = {x = 1, y = {z = 2}}
[[many]]
k = 1
[[many]]
k = 2
[last]
'''


def test_lines() -> None:
    assert line_numbers(TEXT) == {
        ("top",): 2,
        ("table",): 4,
        ("table", "name"): 5,
        ("table", "text"): 6,
        ("table", "list"): 9,
        ("table", "a"): 12,
        ("table", "a", "b"): 12,
        ("device",): 14,
        ("device", "shoe"): 14,
        ("device", "shoe", "family"): 15,
        ("options",): 16,
        ("options", "min"): 17,
        ("device", "sensor.1"): 18,
        ("device", "sensor.1", "area"): 19,
        ("device", "sensor.1", "inline"): 20,
        ("device", "sensor.1", "inline", "x"): 20,
        ("device", "sensor.1", "inline", "y"): 20,
        ("device", "sensor.1", "inline", "y", "z"): 20,
        ("many",): 21,
        ("many", "k"): 22,
        ("last",): 25,
    }


def test_windows_line_ends() -> None:
    assert line_numbers("[a]\r\n\r\nb = 1\r\n") == {("a",): 1, ("a", "b"): 3}
