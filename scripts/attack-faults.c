// Makes one call to the system fail, for scripts/attack and scripts/attack-mpi: LD_PRELOAD this library and set
//
//     FAULT_OF=files  which calls: those that change `files`, the default; those that map `memory`, with ENOMEM; those that
//                     begin `threads`, with EAGAIN
//     FAULT_AT=n      the n-th call, counted from 1 over all threads; 0 for none
//     FAULT=enospc    it fails as on a full disk; `eio`: as on a broken one; `short`: a write brings half of its bytes, and
//                     the calls after it fail as on a full disk; `kill`: the process ends before it, as by kill -9;
//                     `hang`: it never returns; `slow`: it and all later ones take 20 ms longer
//     FAULT_IN=part   only calls on files whose path contains this count
//     FAULT_ON=1      all later calls fail, too, of memory and threads
//     FAULT_COUNT=f   the number of calls is written to this file at the end
//
// Calls on standard output and error do not count.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;
static long fault_at;
static int goes_on;
static const char *fault = "none", *part = "", *of = "files";

__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("FAULT_AT"), *kind = getenv("FAULT"), *in = getenv("FAULT_IN"), *calls_of = getenv("FAULT_OF");
    if (at) fault_at = atol(at);
    if (kind) fault = kind;
    if (in) part = in;
    if (calls_of) of = calls_of;
    goes_on = getenv("FAULT_ON") != NULL;
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("FAULT_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%ld\n", (long)calls);
    fclose(file);
}

// Counts a call of memory or threads; whether it fails.
static int fails_of(const char *kind) {
    if (strcmp(of, kind)) return 0;
    long call = ++calls;
    return fault_at && (call == fault_at || (goes_on && call > fault_at));
}

// Counts a call on the file of this path; whether it fails: 2 if it is a write that brings half of its bytes.
static int fails(const char *path, int is_write) {
    if (strcmp(of, "files") || !strstr(path, part)) return 0;
    long call = ++calls;
    if (fault_at == 0 || call < fault_at) return 0;
    if (!strcmp(fault, "slow")) return usleep(20000), 0;
    if (call == fault_at && !strcmp(fault, "kill")) raise(SIGKILL);
    while (call == fault_at && !strcmp(fault, "hang")) pause();
    if (!strcmp(fault, "short")) {
        errno = ENOSPC;
        return call == fault_at && is_write ? 2 : is_write;
    }
    if (call != fault_at) return 0;
    errno = !strcmp(fault, "eio") ? EIO : ENOSPC;
    return 1;
}

// The same for an open file.
static int fails_open(int fd, int is_write) {
    char link[32], path[4096] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if (*part && readlink(link, path, sizeof path - 1) < 0) return 0;
    return fails(path, is_write);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t n) {
    int failed = fd > 2 ? fails_open(fd, 1) : 0;
    return failed == 1 ? -1 : REAL(write)(fd, bytes, failed ? n / 2 : n);
}

ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t at) {
    int failed = fails_open(fd, 1);
    return failed == 1 ? -1 : REAL(pwrite64)(fd, bytes, failed ? n / 2 : n, at);
}

int fsync(int fd) { return fails_open(fd, 0) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fails_open(fd, 0) ? -1 : REAL(fdatasync)(fd); }
int ftruncate64(int fd, off64_t n) { return fails_open(fd, 0) ? -1 : REAL(ftruncate64)(fd, n); }
int rename(const char *from, const char *to) { return fails(to, 0) ? -1 : REAL(rename)(from, to); }
int unlink(const char *path) { return fails(path, 0) ? -1 : REAL(unlink)(path); }
int mkdir(const char *path, mode_t mode) { return fails(path, 0) ? -1 : REAL(mkdir)(path, mode); }

int linkat(int from_dir, const char *from, int to_dir, const char *to, int flags) {
    return fails(to, 0) ? -1 : REAL(linkat)(from_dir, from, to_dir, to, flags);
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return flags & O_CREAT && fails(path, 0) ? -1 : REAL(open64)(path, flags, mode);
}

// Straight to the system: memory is asked for before names of other libraries can be looked up.
void *mmap(void *at, size_t n, int protection, int flags, int fd, off_t from) {
    if (fails_of("memory")) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mmap, at, n, protection, flags, fd, from);
}

void *mmap64(void *at, size_t n, int protection, int flags, int fd, off64_t from) {
    return mmap(at, n, protection, flags, fd, from);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *with) {
    return fails_of("threads") ? EAGAIN : REAL(pthread_create)(thread, how, run, with);
}
