#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include "openssl_shim.h"

struct oss_rsa {
    EVP_PKEY *pkey;
};

static EVP_PKEY *from_numbers(BIGNUM *modulus, BIGNUM *exponent) {
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    OSSL_PARAM *parameters = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    EVP_PKEY *pkey = NULL;
    if (builder != NULL && context != NULL && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, modulus) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, exponent) == 1 &&
        (parameters = OSSL_PARAM_BLD_to_param(builder)) != NULL && EVP_PKEY_fromdata_init(context) == 1) {
        if (EVP_PKEY_fromdata(context, &pkey, EVP_PKEY_PUBLIC_KEY, parameters) != 1) pkey = NULL;
    }
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(builder);
    return pkey;
}

// Checks what NIST SP 800-56B requires of a public key: modulus and exponent are odd, and the modulus has no small factor and is
// not a prime.
static int is_sound(EVP_PKEY *pkey) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, pkey, NULL);
    int sound = context != NULL && EVP_PKEY_public_check(context) == 1;
    EVP_PKEY_CTX_free(context);
    return sound;
}

oss_rsa *oss_rsa_read_public(const uint8_t *modulus, size_t modulus_length, const uint8_t *exponent, size_t exponent_length) {
    BIGNUM *n = BN_bin2bn(modulus, (int)modulus_length, NULL);
    BIGNUM *e = BN_bin2bn(exponent, (int)exponent_length, NULL);
    EVP_PKEY *pkey = n != NULL && e != NULL ? from_numbers(n, e) : NULL;
    BN_free(n);
    BN_free(e);
    oss_rsa *key = pkey != NULL && is_sound(pkey) ? OPENSSL_zalloc(sizeof *key) : NULL;
    ERR_clear_error();
    if (key == NULL) {
        EVP_PKEY_free(pkey);
        return NULL;
    }
    key->pkey = pkey;
    return key;
}

void oss_rsa_free(oss_rsa *key) {
    if (key == NULL) return;
    EVP_PKEY_free(key->pkey);
    OPENSSL_free(key);
}

int oss_rsa_verify(const oss_rsa *key, const uint8_t *message, size_t message_length, const uint8_t *signature,
                   size_t signature_length) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    // No padding is set, because OpenSSL's default, PKCS #1 v1.5, is the padding of RS256.
    int valid = context != NULL && EVP_DigestVerifyInit_ex(context, NULL, "SHA256", NULL, NULL, key->pkey, NULL) == 1 &&
                EVP_DigestVerify(context, signature, signature_length, message, message_length) == 1;
    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return valid;
}
