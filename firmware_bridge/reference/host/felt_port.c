/* The port to a process. kill -9 takes its RAM only: flash is a file, which is written at once. */
#define _XOPEN_SOURCE 700
#include "felt_port.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static bool flash_read(void *self, uint32_t at, void *to, size_t size)
{
    const struct felt_port *port = self;
    return at <= FELT_FLASH && size <= FELT_FLASH - at && pread(port->flash, to, size, (off_t)at) == (ssize_t)size;
}

/* Where power fails, half of the write is done. */
static void may_be_cut(struct felt_port *port, uint32_t at, const uint8_t *from, size_t size)
{
    if (++port->writes != port->cut)
        return;
    _exit(pwrite(port->flash, from, size / 2, (off_t)at) < 0 ? 1 : FELT_CUT);
}

/* As NOR flash does it: a word is written once after it was erased, or zeros over it. What a firmware must not do ends
 * the process, so that a test sees it. */
static bool write_word(struct felt_port *port, uint32_t at, const uint8_t word[FELT_WORD])
{
    static const uint8_t zeros[FELT_WORD];
    uint8_t old[FELT_WORD], erased[FELT_WORD];
    felt_fill(erased, 0xFF, FELT_WORD);
    if (!flash_read(port, at, old, FELT_WORD))
        return false;
    if (!felt_same(old, erased, FELT_WORD) && !felt_same(word, zeros, FELT_WORD)) {
        fprintf(stderr, "flash: the word at %lu was not erased\n", (unsigned long)at);
        abort();
    }
    may_be_cut(port, at, word, FELT_WORD);
    return pwrite(port->flash, word, FELT_WORD, (off_t)at) == (ssize_t)FELT_WORD;
}

static bool flash_write(void *self, uint32_t at, const void *from, size_t size)
{
    const uint8_t *data = from;
    if (at % FELT_WORD != 0 || size % FELT_WORD != 0 || at > FELT_FLASH || size > FELT_FLASH - at)
        abort();
    for (size_t n = 0; n < size; n += FELT_WORD)
        if (!write_word(self, at + (uint32_t)n, data + n))
            return false;
    return true;
}

static bool flash_erase(void *self, uint32_t at)
{
    static uint8_t erased[FELT_SECTOR];
    struct felt_port *port = self;
    if (at % FELT_SECTOR != 0 || at >= FELT_FLASH)
        abort();
    felt_fill(erased, 0xFF, sizeof erased);
    may_be_cut(port, at, erased, sizeof erased);
    return pwrite(port->flash, erased, sizeof erased, (off_t)at) == (ssize_t)sizeof erased;
}

static bool chance(void *self, uint8_t *to, size_t size)
{
    const struct felt_port *port = self;
    return read(port->chance, to, size) == (ssize_t)size;
}

/* What nobody fetches is lost, as on a line without flow control. */
static void send_to_wire(void *self, const uint8_t *data, size_t size)
{
    struct felt_port *port = self;
    if (port->stepped && size <= sizeof port->answer - port->answer_size) {
        felt_copy(port->answer + port->answer_size, data, size);
        port->answer_size += size;
        return;
    }
    while (size > 0) {
        ssize_t some = port->stepped ? 0 : write(port->wire, data, size);
        if (some < 0 && errno == EINTR)
            continue;
        if (some <= 0) {
            port->dropped += (uint32_t)size;
            return;
        }
        data += some;
        size -= (size_t)some;
    }
}

static void restart(void *self)
{
    struct felt_port *port = self;
    port->restart = true;
}

static bool pairing_switch(void *self)
{
    const struct felt_port *port = self;
    return port->pairing;
}

static void show_code(void *self, const char *digits)
{
    (void)self;
    printf("code %s\n", digits != NULL ? digits : "-");
}

bool felt_port_flash(struct felt_port *port, const char *path)
{
    struct stat is;
    port->flash = open(path, O_RDWR | O_CREAT, 0600);
    if (port->flash < 0 || fstat(port->flash, &is) != 0)
        return false;
    if (is.st_size == (off_t)FELT_FLASH)
        return true;
    for (uint32_t at = 0; at < FELT_FLASH; at += FELT_SECTOR) /* as it comes from the factory */
        if (!flash_erase(port, at))
            return false;
    port->writes = 0;
    return true;
}

static bool make_raw(int descriptor)
{
    struct termios t;
    if (tcgetattr(descriptor, &t) != 0)
        return false;
    t.c_iflag &= (tcflag_t) ~(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
    t.c_oflag &= (tcflag_t)~OPOST;
    t.c_lflag &= (tcflag_t) ~(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
    t.c_cflag = (t.c_cflag & (tcflag_t) ~(CSIZE | PARENB)) | CS8;
    return tcsetattr(descriptor, TCSANOW, &t) == 0;
}

bool felt_port_chance(struct felt_port *port, const char *path)
{
    port->chance = open(path, O_RDONLY);
    return port->chance >= 0;
}

bool felt_port_pty(struct felt_port *port, const char *link)
{
    const char *name;
    char fresh[4096];
    port->wire = posix_openpt(O_RDWR | O_NOCTTY);
    if (port->wire < 0 || grantpt(port->wire) != 0 || unlockpt(port->wire) != 0)
        return false;
    name = ptsname(port->wire);
    if (name == NULL || snprintf(fresh, sizeof fresh, "%s.new", link) >= (int)sizeof fresh)
        return false;
    port->other_end = open(name, O_RDWR | O_NOCTTY);
    (void)unlink(fresh);
    return port->other_end >= 0 && make_raw(port->other_end) && symlink(name, fresh) == 0 && rename(fresh, link) == 0;
}

void felt_port_use(struct felt_port *port, struct felt_board *board)
{
    if (!port->stepped)
        (void)fcntl(port->wire, F_SETFL, fcntl(port->wire, F_GETFL) | O_NONBLOCK);
    board->port = port;
    board->flash.self = port;
    board->flash.read = flash_read;
    board->flash.write = flash_write;
    board->flash.erase = flash_erase;
    board->random = chance;
    board->send = send_to_wire;
    board->restart = restart;
    board->pairing_switch = pairing_switch;
    board->show_code = show_code;
}

uint32_t felt_port_now(const struct felt_port *port)
{
    struct timespec t;
    if (port->stepped)
        return port->now;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint32_t)((uint64_t)t.tv_sec * 1000u + (uint64_t)t.tv_nsec / 1000000u);
}

int felt_port_step(struct felt_port *port, uint8_t *bytes, size_t room)
{
    uint8_t time[FELT_STEP_TIME];
    struct iovec parts[2] = {{time, sizeof time}, {bytes, room}};
    struct msghdr message = {0};
    ssize_t came;
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    do
        came = recvmsg(port->wire, &message, 0);
    while (came < 0 && errno == EINTR);
    if (came < (ssize_t)sizeof time)
        return -1;
    port->now = felt_get32(time);
    return (int)(came - (ssize_t)sizeof time);
}

/* What was sent, and behind it one byte, so that no packet is empty: how many events are kept. */
void felt_port_answer(struct felt_port *port, uint32_t kept)
{
    uint8_t end = (uint8_t)(kept < 255 ? kept : 255);
    struct iovec parts[2] = {{port->answer, port->answer_size}, {&end, 1}};
    struct msghdr message = {0};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    if (sendmsg(port->wire, &message, 0) < 0)
        exit(0); /* nobody steps it any more */
    port->answer_size = 0;
}
