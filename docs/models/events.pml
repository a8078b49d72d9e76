/* Device, link, journal and acknowledgement: what docs/protocol.md, sections 4 and 5, promises.

   A device makes events and keeps them until it is told that they are on disk.  The wire loses frames, the disk refuses
   commits, either side loses its power, and somebody puts an older copy of the journal back.  Whatever happens:

     safe       while a session is open, every event that the device let go of is in the journal, or a person was told
     delivered  when the faults are over, every event gets into the journal, and the device lets go of it

   Two ways of doing it wrong can be switched on, and are found:

     CUMULATIVE  acknowledge the newest event that was stored, and go on after a commit that failed
     BLIND       do not compare at a greeting what the device let go of with what the journal has */

#ifndef EVENTS
#define EVENTS 3
#endif
#ifndef FAULTS
#define FAULTS 2 /* losses, refused commits, power cuts, older copies: so many in all */
#endif

#define BIT(n) (1 << ((n) - 1))
#define UPTO(n) ((1 << (n)) - 1)
#define ALL UPTO(EVENTS)

/* To show that all arrives, timers are fair: nobody repeats himself while there is something to hear, and a greeting is
   repeated as well as an event. */
#ifdef LIVE
#define PATIENT(condition) (condition)
#else
#define PATIENT(condition) true
#endif

mtype = { HELLO, IDENTITY, EVENT, ACK, RESEND };
chan up = [2] of { mtype, byte, byte };   /* from the device: kind, and two numbers */
chan down = [2] of { mtype, byte, byte }; /* to it */
chan work = [2] of { byte };              /* events that wait for the disk */

byte faults = FAULTS;

/* The device's memory survives a power cut. */
byte last = 0; /* newest event made */
byte gone = 0; /* let go of, up to here */

/* So does the journal. */
byte stored = 0;    /* a bit for each event */
byte accounted = 0; /* what a person was told is missing, up to here */
byte copy = 0;      /* an older copy of both */
byte copy_accounted = 0;

bool greeted = false; /* of the device: there is a session */
bool open = false;    /* of the controller: the same */
byte through = 0;     /* every event up to here is stored or accounted for */

#define safe (!open || ((UPTO(gone) & ~(stored | UPTO(accounted))) == 0))
#define delivered ((stored | UPTO(accounted)) == ALL && gone == EVENTS)

inline find_through() {
    through = accounted;
#ifdef CUMULATIVE
    if
    :: stored & BIT(3) -> through = 3
    :: !(stored & BIT(3)) && (stored & BIT(2)) -> through = 2
    :: !(stored & (BIT(2) | BIT(3))) && (stored & BIT(1)) -> through = 1
    :: else
    fi
#else
    do
    :: through < EVENTS && (stored & (1 << through)) -> through++
    :: else -> break
    od
#endif
}

/* A frame is lost by a fault, or when there is no room for it: nobody waits for the wire. */
inline send(wire, kind, one, other) {
    if
    :: nfull(wire) -> wire!kind(one, other)
    :: faults > 0 && nfull(wire) -> faults--
    :: full(wire)
    fi
}

active proctype Device() {
    byte n, counter, each;
    do
    :: atomic { last < EVENTS -> /* 5.1: stored before it is sent */
            last++;
            if :: greeted -> send(up, EVENT, last, 0) :: else fi
        }
    :: atomic { greeted && gone < last && empty(up) && PATIENT(open && empty(down) && last == EVENTS) -> /* 5.3 */
            send(up, EVENT, gone + 1, 0)
        }
    :: atomic { down?HELLO(n, counter) -> /* 4.2 */
            if :: counter > gone && counter <= last -> gone = counter :: else fi;
            greeted = true;
            send(up, IDENTITY, n, gone + 1);
            n = 0; counter = 0
        }
    :: atomic { down?ACK(counter, _) -> /* 5.4 */
            if :: greeted && counter > gone && counter <= last -> gone = counter :: else fi;
            counter = 0
        }
    :: atomic { down?RESEND(n, _) -> /* 5.5 */
            if
            :: greeted && n > gone && n <= last -> send(up, EVENT, n, 0)
            :: else
            fi;
            n = 0
        }
    :: atomic { faults > 0 && greeted -> faults--; greeted = false } /* its power is cut */
    od
}

byte nonce = 1; /* of the session: never used before */
byte next = 0; /* the event that is handed up next */

inline end_session() {
    open = false; nonce++
}

active proctype Controller() {
    byte n, counter, first;
    do
    :: atomic { !open && empty(down) && PATIENT(empty(up)) -> /* 4.3 */
            find_through();
            send(down, HELLO, nonce, through)
        }
    :: atomic { up?IDENTITY(n, first) ->
            if
            :: !open && n == nonce ->
                find_through();
#ifndef BLIND
                if :: first > through + 1 -> accounted = first - 1 :: else fi; /* 5.13: a person is told */
#endif
                open = true; next = first
            :: else
            fi;
            n = 0; first = 0
        }
    :: atomic { up?EVENT(n, _) ->
            if
            :: open && n == next && nfull(work) -> work!n; next++ /* 5.8 */
            :: open && n < next -> /* 5.9 */
                find_through();
                if :: stored & BIT(n) -> send(down, ACK, through, 0) :: else fi
            :: open && n > next && gone < next -> send(down, RESEND, next, 0) /* 5.10 */
            :: open && n > next && gone >= next -> end_session() /* 5.14: such a gap stays open */
            :: else
            fi;
            n = 0
        }
    :: atomic { open && !greeted -> end_session() } /* 7.2 */
    :: atomic { faults > 0 -> /* its power is cut; what waited for the disk is gone */
            faults--;
            end_session();
            do :: nempty(work) -> work?n :: else -> break od;
            n = 0;
            if
            :: stored = copy; accounted = copy_accounted /* somebody puts an older copy back */
            :: true
            fi
        }
    :: atomic { copy != stored && faults > 0 -> /* somebody copies the journal */
            copy = stored; copy_accounted = accounted
        }
    od
}

active proctype Writer() {
    byte n;
    do
    :: atomic { work?n ->
            if
            :: stored = stored | BIT(n); /* one that is there already is not stored twice */
                find_through();
                if
                :: open -> /* 5.11 */
#ifdef CUMULATIVE
                    send(down, ACK, n, 0)
#else
                    send(down, ACK, through, 0)
#endif
                :: else
                fi
            :: faults > 0 -> /* the disk refuses */
                faults--;
#ifndef CUMULATIVE
                end_session() /* 5.12 */
#endif
            fi;
            n = 0
        }
    od
}

ltl never_lost { [] safe }
ltl all_arrive { <> delivered }
