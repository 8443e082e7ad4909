#include "openssl_shim.h"

#include <malloc.h>
#include <openssl/crypto.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

enum { SECURE_HEAP_SIZE = 1 << 17, SECURE_HEAP_MINIMUM_BLOCK = 32 };

static void *allocate(size_t size, const char *file, int line) {
    (void)file;
    (void)line;
    return malloc(size);
}

static void release(void *block, const char *file, int line) {
    (void)file;
    (void)line;
    if (block == NULL) return;
    OPENSSL_cleanse(block, malloc_usable_size(block));
    free(block);
}

// realloc may move a block and leave the old bytes behind; this one never does.
static void *reallocate(void *block, size_t size, const char *file, int line) {
    if (block == NULL) return malloc(size);
    size_t old_size = malloc_usable_size(block);
    if (size <= old_size && size > 0) return block;
    void *moved = size > 0 ? malloc(size) : NULL;
    if (moved != NULL) memcpy(moved, block, old_size < size ? old_size : size);
    if (moved != NULL || size == 0) release(block, file, line);
    return moved;
}

static int forbid_core_dumps(void) {
    struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_CORE, &none) == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
}

int oss_harden_process(void) {
    if (CRYPTO_set_mem_functions(allocate, reallocate, release) != 1) return 1;
    // At exit threads still sign and hash: what they use is not to be freed under them.
    if (OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL) != 1) return 1;
    (void)CRYPTO_secure_malloc_init(SECURE_HEAP_SIZE, SECURE_HEAP_MINIMUM_BLOCK);
    return forbid_core_dumps() ? 0 : 2;
}

void oss_cleanse(void *bytes, size_t length) { OPENSSL_cleanse(bytes, length); }
