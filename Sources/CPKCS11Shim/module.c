#include "module.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// How long a restart of a module, or the exit of the process, waits for calls that are in progress.
enum { PATIENCE_MS = 300 };

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static p11_module *modules;

p11_module *p11_open(const char *path, char *reason, size_t capacity) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CK_RV (*list)(CK_FUNCTION_LIST **) = NULL;
    if (library != NULL) *(void **)&list = dlsym(library, "C_GetFunctionList");
    if (list == NULL) {
        const char *error = dlerror();
        snprintf(reason, capacity, "%s", error != NULL ? error : "it has no C_GetFunctionList");
        return NULL;
    }
    CK_FUNCTION_LIST *functions = NULL;
    if (list(&functions) != P11_OK || functions == NULL || functions->version.major < 2) {
        snprintf(reason, capacity, "it does not speak PKCS#11 v2");
        return NULL;
    }
    p11_module *module = calloc(1, sizeof *module);
    if (module == NULL) {
        snprintf(reason, capacity, "no memory");
        return NULL;
    }
    module->functions = functions;
    pthread_mutex_init(&module->lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&module->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_lock(&list_lock);
    module->next = modules;
    modules = module;
    pthread_mutex_unlock(&list_lock);
    return module;
}

void p11_enter(p11_module *module) {
    pthread_mutex_lock(&module->lock);
    while (module->is_closed) pthread_cond_wait(&module->changed, &module->lock);
    module->inside++;
    pthread_mutex_unlock(&module->lock);
}

void p11_leave(p11_module *module) {
    pthread_mutex_lock(&module->lock);
    module->inside--;
    pthread_mutex_unlock(&module->lock);
    pthread_cond_broadcast(&module->changed);
}

typedef enum { GATE_CLOSED, GATE_CLOSED_ON_CALLS, GATE_OF_ANOTHER } gate;

// Makes new calls wait, and waits until the calls in progress have returned, but not longer than PATIENCE_MS. The caller must
// release the lock afterwards.
static gate close_gate(p11_module *module) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += PATIENCE_MS * 1000000L;
    end.tv_sec += end.tv_nsec / 1000000000L;
    end.tv_nsec %= 1000000000L;
    pthread_mutex_lock(&module->lock);
    while (module->is_closed)
        if (pthread_cond_timedwait(&module->changed, &module->lock, &end) == ETIMEDOUT) return GATE_OF_ANOTHER;
    module->is_closed = 1;
    while (module->inside > 0)
        if (pthread_cond_timedwait(&module->changed, &module->lock, &end) == ETIMEDOUT) return GATE_CLOSED_ON_CALLS;
    return GATE_CLOSED;
}

static void open_gate(p11_module *module) {
    pthread_mutex_lock(&module->lock);
    module->is_closed = 0;
    pthread_mutex_unlock(&module->lock);
    pthread_cond_broadcast(&module->changed);
}

static unsigned long initialize(p11_module *module) {
    CK_C_INITIALIZE_ARGS arguments = {.flags = CKF_OS_LOCKING_OK};
    CK_RV code = module->functions->C_Initialize(&arguments);
    return code == CKR_CRYPTOKI_ALREADY_INITIALIZED ? P11_OK : code;
}

// After this function, the destructors of the module's library run. No thread may be inside the library then or enter it again,
// so the gates stay closed.
static void end_modules(void) {
    pthread_mutex_lock(&list_lock);
    for (p11_module *module = modules; module != NULL; module = module->next) {
        gate gate = close_gate(module);
        pthread_mutex_unlock(&module->lock);
        if (gate == GATE_CLOSED) module->functions->C_Finalize(NULL);
    }
    pthread_mutex_unlock(&list_lock);
}

// Exit handlers run in reverse order. This one is registered after a module has started, so that it runs before the exit handlers
// of the module and of OpenSSL.
static void register_end(void) { atexit(end_modules); }

unsigned long p11_start(p11_module *module) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    p11_enter(module);
    unsigned long code = initialize(module);
    p11_leave(module);
    if (code == P11_OK) pthread_once(&once, register_end);
    return code;
}

unsigned long p11_restart(p11_module *module) {
    gate gate = close_gate(module);
    pthread_mutex_unlock(&module->lock);
    if (gate == GATE_OF_ANOTHER) return P11_BUSY;
    unsigned long code = P11_BUSY;
    if (gate == GATE_CLOSED) {
        module->functions->C_Finalize(NULL);
        code = initialize(module);
    }
    open_gate(module);
    return code;
}
