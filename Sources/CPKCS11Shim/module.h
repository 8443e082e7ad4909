// Declarations that the .c files share, but that Swift does not see.
#ifndef OFFERSIGNER_PKCS11_MODULE_H
#define OFFERSIGNER_PKCS11_MODULE_H

#include <pthread.h>

#include "cryptoki.h"
#include "pkcs11_shim.h"

struct p11_module {
    CK_FUNCTION_LIST *functions;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    // The number of calls into the module that are in progress.
    int inside;
    // Whether new calls have to wait.
    int is_closed;
    p11_module *next;
};

// Every call into a module stands between these two, because no other call may be in progress during C_Finalize.
void p11_enter(p11_module *module);
void p11_leave(p11_module *module);

#endif
