// Makes one call that changes files fail, for scripts/attack: LD_PRELOAD this library and set
//
//     FAULT_AT=n      the n-th call, counted from 1 over all threads; 0 for none
//     FAULT=enospc    it fails as on a full disk; `eio`: as on a broken one; `short`: a write brings half of its bytes, and
//                     the calls after it fail as on a full disk; `kill`: the process ends before it, as by kill -9
//     FAULT_COUNT=f   the number of calls is written to this file at the end
//
// Calls on standard output and error do not count.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;
static long fault_at;
static const char *fault = "none";

__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("FAULT_AT"), *kind = getenv("FAULT");
    if (at) fault_at = atol(at);
    if (kind) fault = kind;
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("FAULT_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%ld\n", (long)calls);
    fclose(file);
}

// Counts a call; whether it fails.
static int fails(int is_write) {
    long call = ++calls;
    if (fault_at == 0 || call < fault_at) return 0;
    if (call == fault_at && !strcmp(fault, "kill")) raise(SIGKILL);
    if (!strcmp(fault, "short")) {
        errno = ENOSPC;
        return call == fault_at && is_write ? 2 : is_write;
    }
    if (call != fault_at) return 0;
    errno = !strcmp(fault, "eio") ? EIO : ENOSPC;
    return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t n) {
    int failed = fd > 2 ? fails(1) : 0;
    return failed == 1 ? -1 : REAL(write)(fd, bytes, failed ? n / 2 : n);
}

ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t at) {
    int failed = fails(1);
    return failed == 1 ? -1 : REAL(pwrite64)(fd, bytes, failed ? n / 2 : n, at);
}

int fsync(int fd) { return fails(0) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fails(0) ? -1 : REAL(fdatasync)(fd); }
int ftruncate64(int fd, off64_t n) { return fails(0) ? -1 : REAL(ftruncate64)(fd, n); }
int rename(const char *from, const char *to) { return fails(0) ? -1 : REAL(rename)(from, to); }
int unlink(const char *path) { return fails(0) ? -1 : REAL(unlink)(path); }
int mkdir(const char *path, mode_t mode) { return fails(0) ? -1 : REAL(mkdir)(path, mode); }

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return flags & O_CREAT && fails(0) ? -1 : REAL(open64)(path, flags, mode);
}
