"""The program itself: which files of it are installed, what signed manifest they must fit, and how it proves them."""

from controller.program import codes as codes
