"""The screen of `felt monitor`: round, devices and facts side by side, drawn by textual."""

from __future__ import annotations

from collections import deque
from typing import ClassVar, Final

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import DataTable, Footer, Input, RichLog, Static

from controller.api.shapes import Device, FactShown, StatusShown
from controller.cli import monitor_text as words
from controller.cli.monitor_watch import MonitorSource, TableLook, TableWatch
from controller.cli.output import folded
from controller.errors import FeltError
from controller.views.plain import one_line

KEPT: Final = 1000  # facts that can be looked back at
FRAMES: Final = 12  # of a device
HELP: Final = """\
felt monitor

  q        ends it
  space    pause: the screen stands still, nothing is lost
  /        filter the facts: type words, Enter; empty shows all
  Tab      to the round, the devices, the facts
  arrows   move, or scroll
  Enter    on a device: its latest frames; cards are withheld
  ?        this page

-> is what the table waits for, ! is what somebody has to see to.
When the daemon does not answer it is asked again every second.

Esc or q goes back."""


class TextPage(ModalScreen[None]):
    """A page above the others, until somebody goes back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape", "dismiss", "back"),
        ("q", "dismiss", "back"),
        ("question_mark", "dismiss", "back"),
    ]

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """Lays out the page."""
        with VerticalScroll(id="page"):
            yield Static(self._text, markup=False)


class Monitor(App[None]):
    """The table as it lives."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "felt monitor"
    CSS = """
    #headline { height: 1; text-style: reverse; }
    #above { height: 2fr; }
    #round { width: 1fr; padding: 0 1 0 0; }
    #devices { width: 27; }
    #facts { height: 1fr; border-top: solid gray; }
    #filter { height: 1; border: none; display: none; }
    #filter.asked { display: block; }
    TextPage { align: center middle; }
    #page { width: 76; height: 20; border: solid gray; padding: 0 1; background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        ("q", "quit", "quit"),
        ("space", "pause", "pause"),
        ("slash", "filter", "filter"),
        ("question_mark", "help", "help"),
    ]

    def __init__(self, source: MonitorSource) -> None:
        super().__init__()
        self._source = source
        self._watch = TableWatch(source, self._from_thread_seen, self._from_thread_told)
        self._status: StatusShown | None = None
        self._devices: list[Device] = []
        self._lost = ""
        self._facts: deque[FactShown] = deque(maxlen=KEPT)
        self._paused = False
        self._pattern = ""
        self._rows: list[tuple[str, str, str]] = []

    def compose(self) -> ComposeResult:
        """Lays out the screen."""
        yield Static(id="headline", markup=False)
        with Horizontal(id="above"):
            with VerticalScroll(id="round"):
                yield Static(id="lines", markup=False)
            yield DataTable(id="devices", cursor_type="row", show_header=False)
        yield RichLog(id="facts", markup=False, wrap=True, max_lines=KEPT)
        yield Input(id="filter", placeholder="words in device or text; Enter")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Begins to look."""
        self.query_one(DataTable).add_columns("", "device", "state")
        self.query_one("#facts").focus()
        self._draw()
        self._watch.start()

    def on_unmount(self) -> None:
        """Ends what looks."""
        self._watch.stop()

    # ---- what the threads tell

    def _from_thread_seen(self, seen: TableLook) -> None:
        if self.is_running:
            self.call_later(self._see, seen)

    def _from_thread_told(self, facts: list[FactShown], anew: bool) -> None:
        if self.is_running:
            self.call_later(self._hear, facts, anew)

    def _see(self, seen: TableLook) -> None:
        self._lost = f"NO ANSWER ({seen.error})" if seen.error else ""
        if seen.status is not None:
            self._status, self._devices = seen.status, seen.devices
        if self._paused:
            self._draw_headline()
        else:
            self._draw()

    def _hear(self, facts: list[FactShown], anew: bool) -> None:
        if anew:
            self._facts.clear()
        self._facts.extend(facts)
        if self._paused:
            return
        if anew:
            self._draw_facts()
        else:
            self._write(facts)

    # ---- drawing

    def on_resize(self) -> None:
        """Folds the lines anew for a window of another width."""
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        self._draw_headline()
        if self._status is not None:
            lines = self.query_one("#lines", Static)
            shown = map(one_line, words.round_lines(self._status))
            lines.update("\n".join(piece for line in shown for piece in folded(line, lines.content_size.width)))
        rows = [words.device_row(device) for device in self._devices]
        if rows != self._rows:
            self._rows = rows
            self._draw_devices()

    def _draw_headline(self) -> None:
        line = words.headline(self._status, self._lost, self._paused, self._pattern)
        self.query_one("#headline", Static).update(line)

    def _draw_devices(self) -> None:
        table = self.query_one(DataTable)
        at = table.cursor_row
        table.clear()
        for name, state, mark in self._rows:
            table.add_row(mark or " ", name, state, key=name)
        table.move_cursor(row=min(at, len(self._rows) - 1))

    def _draw_facts(self) -> None:
        self.query_one("#facts", RichLog).clear()
        self._write(list(self._facts))

    def _write(self, facts: list[FactShown]) -> None:
        log = self.query_one("#facts", RichLog)
        for fact in facts:
            if words.fits(fact, self._pattern):
                log.write(words.fact_line(fact))

    # ---- keys

    def action_pause(self) -> None:
        """Lets the screen stand still, or go on with everything that happened meanwhile."""
        self._paused = not self._paused
        self._draw_headline()
        if not self._paused:
            self._draw()
            self._draw_facts()

    def action_filter(self) -> None:
        """Asks for the words that facts must have."""
        line = self.query_one("#filter", Input)
        line.add_class("asked")
        line.focus()

    def on_input_submitted(self, entered: Input.Submitted) -> None:
        """Shows the facts with these words."""
        self._pattern = entered.value.strip()
        entered.input.remove_class("asked")
        self.query_one("#facts").focus()
        self._draw_headline()
        self._draw_facts()

    def action_help(self) -> None:
        """Shows the keys."""
        self.push_screen(TextPage(HELP))

    def on_data_table_row_selected(self, chosen: DataTable.RowSelected) -> None:
        """Shows the latest frames of a device."""
        name = chosen.row_key.value
        self.run_worker(lambda: self._inspect(str(name)), thread=True, exclusive=True)

    def _inspect(self, name: str) -> None:
        device = next((device for device in self._devices if device["name"] == name), None)
        if device is None:
            return
        try:
            lines = list(words.device_lines(device, self._source.frames(name), FRAMES))
        except FeltError as error:
            lines = [f"{error.code}: {error.cause}", f"  -> {error.next_step}"]
        self.call_from_thread(self.push_screen, TextPage("\n".join(map(one_line, lines))))
