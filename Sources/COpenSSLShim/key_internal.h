// Declarations that the .c files share and the public header hides.
#ifndef OFFERSIGNER_KEY_INTERNAL_H
#define OFFERSIGNER_KEY_INTERNAL_H

#include <openssl/evp.h>

#include "openssl_shim.h"

struct oss_key {
    EVP_PKEY *pkey;
};

#endif
