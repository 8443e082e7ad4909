#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <string.h>

#include "key_internal.h"

typedef struct {
    const uint8_t *bytes;
    size_t length;
    int asked;
} passphrase_source;

static int give_passphrase(char *buffer, int capacity, int for_writing, void *context) {
    (void)for_writing;
    passphrase_source *source = context;
    source->asked = 1;
    if (source->bytes == NULL || source->length > (size_t)capacity) return -1;
    memcpy(buffer, source->bytes, source->length);
    return (int)source->length;
}

// Returns a copy in which each pair of characters `\n` or `\r` is replaced by a line end. Environment variables and JSON contain
// line ends in this form.
static uint8_t *with_real_line_ends(const uint8_t *pem, size_t length, size_t *new_length) {
    uint8_t *copy = OPENSSL_malloc(length + 1);
    if (copy == NULL) return NULL;
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        int escaped = pem[i] == '\\' && i + 1 < length && (pem[i + 1] == 'n' || pem[i + 1] == 'r');
        copy[used++] = escaped ? '\n' : pem[i];
        if (escaped) i++;
    }
    copy[used] = 0;
    *new_length = used;
    return copy;
}

static int has_label(const char *text, const char *label) { return strstr(text, label) != NULL; }

static oss_key_status status_of_label(const char *text) {
    if (has_label(text, "-----BEGIN PRIVATE KEY-----")) return OSS_KEY_OK;
    if (has_label(text, "-----BEGIN ENCRYPTED PRIVATE KEY-----")) return OSS_KEY_OK;
    if (has_label(text, "-----BEGIN EC PRIVATE KEY-----")) return OSS_KEY_SEC1;
    if (has_label(text, "-----BEGIN RSA PRIVATE KEY-----")) return OSS_KEY_RSA;
    if (has_label(text, "-----BEGIN PUBLIC KEY-----")) return OSS_KEY_PUBLIC;
    if (has_label(text, "-----BEGIN EC PUBLIC KEY-----")) return OSS_KEY_PUBLIC;
    if (has_label(text, "-----BEGIN CERTIFICATE-----")) return OSS_KEY_CERTIFICATE;
    return has_label(text, "-----BEGIN ") ? OSS_KEY_OTHER_PEM : OSS_KEY_NOT_PEM;
}

static int is_p256(const EVP_PKEY *pkey) {
    char group[64];
    size_t length = 0;
    return EVP_PKEY_get_utf8_string_param(pkey, OSSL_PKEY_PARAM_GROUP_NAME, group, sizeof group, &length) == 1 &&
           strcmp(group, "prime256v1") == 0;
}

static oss_key_status status_of_key(const EVP_PKEY *pkey) {
    if (EVP_PKEY_is_a(pkey, "RSA") || EVP_PKEY_is_a(pkey, "RSA-PSS")) return OSS_KEY_RSA;
    if (!EVP_PKEY_is_a(pkey, "EC")) return OSS_KEY_OTHER_ALGORITHM;
    return is_p256(pkey) ? OSS_KEY_OK : OSS_KEY_OTHER_CURVE;
}

static oss_key *wrap(EVP_PKEY *pkey) {
    oss_key *key = pkey != NULL ? OPENSSL_zalloc(sizeof *key) : NULL;
    if (key == NULL) {
        EVP_PKEY_free(pkey);
        return NULL;
    }
    key->pkey = pkey;
    return key;
}

static EVP_PKEY *parse_private(const char *text, size_t length, passphrase_source *source, oss_key_status *status) {
    BIO *bio = BIO_new_mem_buf(text, (int)length);
    EVP_PKEY *pkey = bio != NULL ? PEM_read_bio_PrivateKey(bio, NULL, give_passphrase, source) : NULL;
    BIO_free(bio);
    ERR_clear_error();
    if (pkey == NULL) {
        *status = !source->asked ? OSS_KEY_DAMAGED
                                 : (source->bytes == NULL ? OSS_KEY_PASSPHRASE_NEEDED : OSS_KEY_PASSPHRASE_WRONG);
        return NULL;
    }
    *status = status_of_key(pkey);
    if (*status == OSS_KEY_OK) return pkey;
    EVP_PKEY_free(pkey);
    return NULL;
}

oss_key *oss_key_read_private(const uint8_t *pem, size_t length, const uint8_t *passphrase, size_t passphrase_length,
                              oss_key_status *status) {
    size_t text_length = 0;
    uint8_t *text = with_real_line_ends(pem, length, &text_length);
    if (text == NULL) {
        *status = OSS_KEY_DAMAGED;
        return NULL;
    }
    // The text is read only up to the first NUL. A label after a NUL therefore does not count.
    *status = status_of_label((const char *)text);
    EVP_PKEY *pkey = NULL;
    if (*status == OSS_KEY_OK) {
        const char *begin = strstr((const char *)text, "-----BEGIN ");
        passphrase_source source = {passphrase, passphrase_length, 0};
        pkey = parse_private(begin, text_length - (size_t)(begin - (const char *)text), &source, status);
    }
    OPENSSL_clear_free(text, length + 1);
    return wrap(pkey);
}

oss_key *oss_key_read_public(const uint8_t *der, size_t length) {
    const uint8_t *cursor = der;
    EVP_PKEY *pkey = d2i_PUBKEY(NULL, &cursor, (long)length);
    ERR_clear_error();
    if (pkey != NULL && (cursor != der + length || status_of_key(pkey) != OSS_KEY_OK)) {
        EVP_PKEY_free(pkey);
        return NULL;
    }
    return wrap(pkey);
}

void oss_key_free(oss_key *key) {
    if (key == NULL) return;
    EVP_PKEY_free(key->pkey);
    OPENSSL_free(key);
}

size_t oss_key_public_der(const oss_key *key, uint8_t *out, size_t capacity) {
    int length = i2d_PUBKEY(key->pkey, NULL);
    uint8_t *cursor = out;
    if (length > 0 && (size_t)length <= capacity && i2d_PUBKEY(key->pkey, &cursor) == length) return (size_t)length;
    ERR_clear_error();
    return 0;
}

int oss_key_verify(const oss_key *key, const uint8_t *message, size_t message_length, const uint8_t *signature,
                   size_t signature_length) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int valid = context != NULL && EVP_DigestVerifyInit_ex(context, NULL, "SHA256", NULL, NULL, key->pkey, NULL) == 1 &&
                EVP_DigestVerify(context, signature, signature_length, message, message_length) == 1;
    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return valid;
}
