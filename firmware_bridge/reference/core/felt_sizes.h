/* Every size and time of the firmware, in one place. What a board may change stands in #ifndef. */
#ifndef FELT_SIZES_H
#define FELT_SIZES_H

/* The frame on the wire: docs/protocol.md, section 1. */
#define FELT_HEADER 7u
#define FELT_CHECK 4u
#define FELT_BODY_MAX 1024u
#define FELT_MESSAGE_MAX 1000u /* so that it can be sealed (3.1) */
#define FELT_FRAME_MAX (FELT_HEADER + FELT_BODY_MAX + FELT_CHECK)
#define FELT_STUFFED_MAX 1040u

/* Sealing: section 8. */
#define FELT_KEY 32u
#define FELT_NONCE 32u
#define FELT_TAG 16u
#define FELT_COUNTER 8u

/* The session: sections 5 to 7. */
#define FELT_WINDOW 16u
#define FELT_AGAIN_MS 200u
#define FELT_AGAIN_MOST_MS 1600u
#define FELT_REPLIES 32u
#define FELT_SILENCE_MS 2000u
#define FELT_TRIAL_MS 20000u

/* A device's own limits. A board that has more to say, or less memory, sets them on the compiler's command line. */
#ifndef FELT_EVENT_MAX
#define FELT_EVENT_MAX 256u /* bytes of one event */
#endif
#ifndef FELT_KEPT_MAX
#define FELT_KEPT_MAX 64u /* events that nobody has on disk yet */
#endif
#ifndef FELT_REPLY_MAX
#define FELT_REPLY_MAX 320u /* bytes of one reply: a note of 128 bytes in hexadecimal digits fits */
#endif
#ifndef FELT_FAULTS_MAX
#define FELT_FAULTS_MAX 8u /* codes of faults of a board: each is a bit */
#endif
#define FELT_TOLD 40u /* bytes that say what was told last: faults, and what a board keeps there */
#define FELT_TEXT_MAX 32u /* family, model, serial, version: bytes */
#define FELT_NOTE_MAX 128u
#define FELT_MANIFEST_MAX 512u

/* Flash: two banks for the log, two slots for firmware. */
#ifndef FELT_SECTOR
#define FELT_SECTOR 4096u
#endif
#ifndef FELT_BANK
#define FELT_BANK (8u * FELT_SECTOR)
#endif
#ifndef FELT_SLOT
#define FELT_SLOT (64u * FELT_SECTOR)
#endif
#define FELT_WORD 8u /* flash is written in pieces of so many bytes, each once after it was erased */
#define FELT_LOG_AT 0u
#define FELT_SLOTS_AT (2u * FELT_BANK)
#define FELT_FLASH (FELT_SLOTS_AT + 2u * FELT_SLOT)

#endif
