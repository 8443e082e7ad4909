// Declarations that the .c files share, but that Swift does not see.
#ifndef OFFERSIGNER_KEY_INTERNAL_H
#define OFFERSIGNER_KEY_INTERNAL_H

#include <openssl/evp.h>

#include "openssl_shim.h"

struct oss_key {
    EVP_PKEY *pkey;
};

#endif
