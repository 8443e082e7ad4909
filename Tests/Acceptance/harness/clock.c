/* A library that lets a test set the wall clock of a process. It is loaded with LD_PRELOAD, and adds a number of seconds to
   CLOCK_REALTIME. PostgreSQL reads the clock with other functions, so they are replaced, too. The environment variable
   CLOCK_OFFSET names a file with two numbers: the seconds to add, and whether adjtimex reports that NTP has set the clock. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>

static volatile long long *offset;
static int (*real)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("CLOCK_OFFSET");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0) {
        void *place = mmap(0, 2 * sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
        if (place != MAP_FAILED) offset = place;
    }
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, time);
    if (result == 0 && clock == CLOCK_REALTIME && offset) time->tv_sec += *offset;
    return result;
}

int gettimeofday(struct timeval *restrict value, void *restrict zone) {
    struct timespec time;
    (void)zone;
    int result = clock_gettime(CLOCK_REALTIME, &time);
    value->tv_sec = time.tv_sec;
    value->tv_usec = time.tv_nsec / 1000;
    return result;
}

time_t time(time_t *seconds) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (seconds) *seconds = now.tv_sec;
    return now.tv_sec;
}

int adjtimex(struct timex *clock) {
    int synchronised = offset && offset[1];
    *clock = (struct timex){.status = synchronised ? 0 : STA_UNSYNC, .maxerror = synchronised ? 1000 : 16000000};
    return synchronised ? TIME_OK : TIME_ERROR;
}
