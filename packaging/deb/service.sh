# ---- the service, which is stopped only between two rounds

PYTHON=/usr/lib/feltd/bin/python3
RESTART=/run/feltd-restart

has_systemd() { [ -d /run/systemd/system ]; }

# Whether the service runs; one that only waits for its next try does not.
is_running() {
    has_systemd || return 1
    case $(systemctl show --property=ActiveState,SubState feltd.service 2>/dev/null) in
    *auto-restart*) return 1 ;;
    *=active* | *=activating* | *=reloading* | *=deactivating*) return 0 ;;
    esac
    return 1
}

# Whether the table says that no round runs.  A table that does not answer says nothing.
is_between_rounds() {
    timeout 20 /usr/bin/felt status --json 2>/dev/null | "$PYTHON" -I -c '
import json, sys
try:
    phase = json.load(sys.stdin)["round"]["phase"]
except (ValueError, KeyError, TypeError):
    sys.exit(1)
sys.exit(not (phase == "closed" or phase.startswith("between ")))'
}

# Stops the service, or ends with 1 and leaves everything as it is.
stop_between_rounds() {
    is_running || return 0
    case ${FELTD_UPGRADE:-} in
    now) is_between_rounds || echo "feltd: the table is stopped now, as FELTD_UPGRADE=now says" >&2 ;;
    wait)
        is_between_rounds || echo "feltd: waiting for the end of the round" >&2
        until is_between_rounds || ! is_running; do sleep 1; done
        ;;
    *)
        is_between_rounds || {
            cat >&2 <<'END'
feltd: a round is running, or the table does not say that none is. Nothing was changed.
  -> Try again between two rounds (felt status). Or put one of these in front of the same command:
     FELTD_UPGRADE=wait   to wait for the end of the round
     FELTD_UPGRADE=now    to stop the table at once; a round that runs goes on afterwards
END
            return 1
        }
        ;;
    esac
    : >"$RESTART"
    systemctl stop feltd.service
}

# Starts the service again where stop_between_rounds stopped it.
start_again() {
    [ -e "$RESTART" ] || return 0
    rm -f "$RESTART"
    has_systemd || return 0
    systemctl start feltd.service && return 0
    cat >&2 <<'END'
feltd: the table did not start again.
  -> "felt doctor" says why. To go back, install the former package; the journal and the configuration are as they were.
END
}
