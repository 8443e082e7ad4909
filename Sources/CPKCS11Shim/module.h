// Declarations that the .c files share and the public header hides.
#ifndef OFFERSIGNER_PKCS11_MODULE_H
#define OFFERSIGNER_PKCS11_MODULE_H

#include <pthread.h>

#include "cryptoki.h"
#include "pkcs11_shim.h"

struct p11_module {
    CK_FUNCTION_LIST *functions;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    // Calls in progress.
    int inside;
    // Whether new calls wait.
    int is_closed;
    p11_module *next;
};

// Every call into a module is enclosed by these two. C_Finalize must run alone.
void p11_enter(p11_module *module);
void p11_leave(p11_module *module);

#endif
