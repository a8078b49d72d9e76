// Keeps one page fed: connects, connects again, and says when what it knows is no longer the truth.

const SILENCE = 1800; // milliseconds without a word
const UNREAD = 200; // more, until it is cut off: what came while the page itself stood still is read first
const AGAIN = 1000;

/**
 * Calls `show(picture)` with everything new and `cut()` when the daemon is not heard any more.
 *
 * `others` are calls for further kinds of events.  Where events have numbers, a connection goes on after the last one.
 * Returns a call that ends it.
 */
export function feed(address, show, cut, others = {}) {
  let source = null;
  let watchdog = 0;
  let version = null;
  let last = null;
  let had = "";

  function heard(event) {
    if (event.lastEventId) had = event.lastEventId;
    watch();
  }

  function watch() {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => (watchdog = setTimeout(lost, UNREAD)), SILENCE);
  }

  function lost() {
    last = null;
    cut();
    connect();
  }

  function connect() {
    clearTimeout(watchdog);
    source?.close();
    source = new EventSource(had ? `${address}?after=${had}` : address);
    watch();
    source.addEventListener("version", (event) => {
      if (version !== null && version !== event.data) location.reload(); // the daemon was renewed, and so is its page
      version = event.data;
      heard(event);
    });
    source.addEventListener("picture", (event) => {
      heard(event);
      last = event.data;
      show(JSON.parse(event.data));
    });
    source.addEventListener("beat", (event) => {
      if (last !== null) heard(event); // a beat without a picture proves nothing
    });
    for (const [kind, call] of Object.entries(others)) {
      source.addEventListener(kind, (event) => call(JSON.parse(event.data), event.lastEventId));
    }
    source.addEventListener("error", () => {
      // The browser tries again by itself, except after an answer that was no stream.
      if (source.readyState === EventSource.CLOSED) {
        clearTimeout(watchdog);
        watchdog = setTimeout(lost, AGAIN);
      }
    });
  }

  connect();

  return () => {
    clearTimeout(watchdog);
    source.close();
  };
}
