/* A disk that can be watched and told to fail: loaded into a test's process in front of the C library (LD_PRELOAD).
 *
 * Everything that changes files below one directory is counted and put into a log, data included.  One of these calls,
 * or every one from it on, can fail; every sync can be slow.  Nothing happens before `felt_disk_arm`.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define DESCRIPTORS 4096
#define SHORT_WRITE (-1) /* instead of an errno: half of the bytes are written, and that is said */

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER; /* the log has the order in which things happened */
static char below[4096];
static int log_fd = -1;
static long calls, fails_at;
static int failure, fails_for_ever;
static useconds_t sync_takes;
static char *names[DESCRIPTORS]; /* of the open files below the directory */

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

void felt_disk_arm(const char *directory, const char *log, long nth, int what, int for_ever, unsigned sync_us)
{
    snprintf(below, sizeof below, "%s/", directory);
    log_fd = log && *log ? REAL(open)(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
    calls = 0;
    fails_at = nth;
    failure = what;
    fails_for_ever = for_ever;
    sync_takes = sync_us;
}

long felt_disk_calls(void) { return calls; }

static void put(const void *data, size_t size)
{
    const char *at = data;
    while (log_fd >= 0 && size) {
        ssize_t done = REAL(write)(log_fd, at, size);
        if (done <= 0)
            abort(); /* a log with a hole would prove nothing */
        at += done;
        size -= (size_t)done;
    }
}

static void note(const char *word, const char *name, const char *other, long offset, const void *data, size_t size)
{
    char line[9000];
    int length = snprintf(line, sizeof line, "%s\t%s\t%s\t%ld\t%zu\n", word, name, other, offset, size);
    put(line, (size_t)length);
    put(data, size);
}

/* A word of the program itself, such as what it has promised up to here. */
void felt_disk_note(const char *text)
{
    pthread_mutex_lock(&turn);
    note("note", text, "", 0, NULL, 0);
    pthread_mutex_unlock(&turn);
}

static const char *concerned(const char *path)
{
    size_t length = strlen(below), whole = path ? strlen(path) : 0;
    if (!length || !path)
        return NULL;
    if (whole > 4 && !strcmp(path + whole - 4, "-shm"))
        return NULL; /* shared memory, made anew after a cut; without it SQLite tries for ten seconds, then says so */
    if (!strncmp(path, below, length))
        return path + length;
    return whole == length - 1 && !strncmp(path, below, length - 1) ? "" : NULL;
}

static const char *open_name(int fd) { return fd >= 0 && fd < DESCRIPTORS ? names[fd] : NULL; }

/* Counts a call; returns what it shall fail with, 0 for not at all. */
static int counted(void)
{
    calls++;
    int now = fails_at && (calls == fails_at || (fails_for_ever && calls > fails_at));
    return now ? failure : 0;
}

static int refused(int what)
{
    if (what <= 0)
        return 0;
    errno = what;
    return 1;
}

static void remember(int fd, const char *name)
{
    if (fd < 0 || fd >= DESCRIPTORS)
        return;
    free(names[fd]);
    names[fd] = name ? strdup(name) : NULL;
}

static int opened(int directory, const char *path, int flags, mode_t mode)
{
    const char *name = concerned(path);
    if (!name)
        return REAL(openat)(directory, path, flags, mode);
    pthread_mutex_lock(&turn);
    int fd = -1;
    int changes = flags & (O_CREAT | O_TRUNC);
    if (!changes || !refused(counted())) {
        fd = REAL(openat)(directory, path, flags, mode);
        if (fd >= 0) {
            remember(fd, name);
            if (changes)
                note(flags & O_TRUNC ? "empty" : "create", name, "", 0, NULL, 0);
        }
    }
    int error = errno;
    pthread_mutex_unlock(&turn);
    errno = error;
    return fd;
}

#define MODE_OF(flags, mode)                                                                                           \
    mode_t mode = 0;                                                                                                   \
    if (flags & (O_CREAT | O_TMPFILE)) {                                                                               \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode = va_arg(rest, mode_t);                                                                                   \
        va_end(rest);                                                                                                  \
    }

int open(const char *path, int flags, ...) { MODE_OF(flags, mode) return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE_OF(flags, mode) return opened(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE_OF(flags, mode) return opened(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE_OF(flags, mode) return opened(at, path, flags, mode); }

int close(int fd)
{
    pthread_mutex_lock(&turn);
    remember(fd, NULL);
    int done = REAL(close)(fd);
    int error = errno;
    pthread_mutex_unlock(&turn);
    errno = error;
    return done;
}

static ssize_t written(int fd, const void *data, size_t size, off_t offset, int at_offset)
{
    const char *name = open_name(fd);
    if (!name)
        return at_offset ? REAL(pwrite)(fd, data, size, offset) : REAL(write)(fd, data, size);
    pthread_mutex_lock(&turn);
    ssize_t done = -1;
    int what = counted();
    if (!refused(what)) {
        if (what == SHORT_WRITE && size > 1)
            size /= 2;
        if (!at_offset)
            offset = lseek(fd, 0, fcntl(fd, F_GETFL) & O_APPEND ? SEEK_END : SEEK_CUR);
        done = at_offset ? REAL(pwrite)(fd, data, size, offset) : REAL(write)(fd, data, size);
        if (done > 0)
            note("write", name, "", (long)offset, data, (size_t)done);
    }
    int error = errno;
    pthread_mutex_unlock(&turn);
    errno = error;
    return done;
}

ssize_t write(int fd, const void *data, size_t size) { return written(fd, data, size, 0, 0); }
ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) { return written(fd, data, size, offset, 1); }
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset) { return written(fd, data, size, offset, 1); }

static int cut(int fd, off_t length)
{
    const char *name = open_name(fd);
    if (!name)
        return REAL(ftruncate)(fd, length);
    pthread_mutex_lock(&turn);
    int done = -1;
    if (!refused(counted())) {
        done = REAL(ftruncate)(fd, length);
        if (!done)
            note("cut", name, "", (long)length, NULL, 0);
    }
    int error = errno;
    pthread_mutex_unlock(&turn);
    errno = error;
    return done;
}

int ftruncate(int fd, off_t length) { return cut(fd, length); }
int ftruncate64(int fd, off64_t length) { return cut(fd, length); }

static int synced(int fd, int (*real)(int))
{
    const char *name = open_name(fd);
    if (!name)
        return real(fd);
    if (sync_takes)
        usleep(sync_takes);
    pthread_mutex_lock(&turn);
    int done = -1;
    if (refused(counted()))
        note("unsynced", name, "", 0, NULL, 0); /* what waited may be lost for ever, whatever a later sync says */
    else {
        done = real(fd);
        if (!done)
            note("sync", name, "", 0, NULL, 0);
    }
    int error = errno;
    pthread_mutex_unlock(&turn);
    errno = error;
    return done;
}

int fsync(int fd) { return synced(fd, REAL(fsync)); }
int fdatasync(int fd) { return synced(fd, REAL(fdatasync)); }

#define NAMED(word, one, other, act)                                                                                   \
    const char *from = concerned(one), *to = concerned(other);                                                         \
    if (!from && !to)                                                                                                  \
        return act;                                                                                                    \
    pthread_mutex_lock(&turn);                                                                                         \
    int done = -1;                                                                                                     \
    if (!refused(counted())) {                                                                                         \
        done = act;                                                                                                    \
        if (!done)                                                                                                     \
            note(word, from ? from : "", to ? to : "", 0, NULL, 0);                                                    \
    }                                                                                                                  \
    int error = errno;                                                                                                 \
    pthread_mutex_unlock(&turn);                                                                                       \
    errno = error;                                                                                                     \
    return done;

int rename(const char *one, const char *other) { NAMED("rename", one, other, REAL(rename)(one, other)) }
int link(const char *one, const char *other) { NAMED("link", one, other, REAL(link)(one, other)) }
int unlink(const char *one) { NAMED("unlink", one, NULL, REAL(unlink)(one)) }
