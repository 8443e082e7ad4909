#include "openssl_shim.h"

#include <malloc.h>
#include <openssl/crypto.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/timex.h>

// A sanitizer watches when each block is freed, so no block is kept for reuse.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define KEEPS_BLOCKS 0
#endif
#endif
#ifndef KEEPS_BLOCKS
#define KEEPS_BLOCKS 1
#endif

enum { SECURE_HEAP_SIZE = 1 << 17, SECURE_HEAP_MINIMUM_BLOCK = 32 };

// A signature allocates and releases some fifty small blocks. To make that cheap, each thread keeps lists of released blocks, one
// for each size, and uses them again. A released block is wiped first.
enum { GRAIN = 32, CLASSES = 32, MAX_LISTED = 32 };

typedef struct block {
    struct block *next;
} block;

typedef struct {
    block *first[CLASSES];
    unsigned char count[CLASSES];
    bool is_known;
    bool is_over;
} block_lists;

static _Thread_local block_lists lists;
static pthread_key_t at_thread_end;

static void free_lists(void *own) {
    block_lists *mine = own;
    // The destructors of other thread-local values may run after this one and still release blocks, which must not be kept.
    mine->is_over = true;
    for (int class = 0; class < CLASSES; class++) {
        for (block *listed; (listed = mine->first[class]) != NULL; free(listed)) mine->first[class] = listed->next;
    }
}

static bool can_keep(size_t class) {
    if (!KEEPS_BLOCKS || class == 0 || class >= CLASSES || lists.count[class] == MAX_LISTED || lists.is_over) return false;
    if (!lists.is_known) lists.is_known = pthread_setspecific(at_thread_end, &lists) == 0;
    return lists.is_known;
}

static void *allocate(size_t size, const char *file, int line) {
    (void)file;
    (void)line;
    size_t class = (size + GRAIN - 1) / GRAIN;
    if (class >= CLASSES) return malloc(size);
    block *listed = lists.first[class];
    if (listed == NULL) return malloc(size == 0 ? 0 : class * GRAIN);
    lists.first[class] = listed->next;
    lists.count[class]--;
    return listed;
}

static void release(void *freed, const char *file, int line) {
    (void)file;
    (void)line;
    if (freed == NULL) return;
    size_t size = malloc_usable_size(freed);
    OPENSSL_cleanse(freed, size);
    size_t class = size / GRAIN;
    if (!can_keep(class)) {
        free(freed);
        return;
    }
    block *listed = freed;
    listed->next = lists.first[class];
    lists.first[class] = listed;
    lists.count[class]++;
}

// The C library's realloc may move a block and leave its old bytes in memory. This function wipes them.
static void *reallocate(void *old, size_t size, const char *file, int line) {
    if (old == NULL) return allocate(size, file, line);
    size_t old_size = malloc_usable_size(old);
    if (size <= old_size && size > 0) return old;
    void *moved = size > 0 ? allocate(size, file, line) : NULL;
    if (moved != NULL) memcpy(moved, old, old_size < size ? old_size : size);
    if (moved != NULL || size == 0) release(old, file, line);
    return moved;
}

static int forbid_core_dumps(void) {
    struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_CORE, &none) == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
}

int oss_harden_process(void) {
    // By default, glibc keeps large blocks once the first of them was freed. With a fixed threshold it returns them to the
    // operating system. A receipt can take several blocks of 16 MiB.
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
    if (pthread_key_create(&at_thread_end, free_lists) != 0) return 1;
    if (CRYPTO_set_mem_functions(allocate, reallocate, release) != 1) return 1;
    // While the process exits, other threads may still sign and hash. OpenSSL must not free what they use.
    if (OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL) != 1) return 1;
    (void)CRYPTO_secure_malloc_init(SECURE_HEAP_SIZE, SECURE_HEAP_MINIMUM_BLOCK);
    return forbid_core_dumps() ? 0 : 2;
}

// In microseconds. If the NTP daemon estimates that the clock may be wrong by more, the clock does not count as synchronised.
enum { LARGEST_ERROR = 5000000 };

int oss_is_clock_synchronised(void) {
    struct timex clock = {0};
    int state = adjtimex(&clock);
    return state >= 0 && state != TIME_ERROR && (clock.status & STA_UNSYNC) == 0 && clock.maxerror < LARGEST_ERROR;
}

void oss_trim_heap(void) { (void)malloc_trim(0); }

void oss_cleanse(void *bytes, size_t length) { OPENSSL_cleanse(bytes, length); }
