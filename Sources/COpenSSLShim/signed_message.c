#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/cms.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/x509.h>

#include "openssl_shim.h"

struct oss_signed_message {
    CMS_ContentInfo *cms;
    STACK_OF(X509) *certificates;
    ASN1_OCTET_STRING *content;
    // The certificate of the only signer, which is one of `certificates`. `cms` owns it.
    X509 *signer;
};

static X509 *find_signer(CMS_ContentInfo *cms) {
    X509 *signer = NULL;
    STACK_OF(CMS_SignerInfo) *signers = CMS_get0_SignerInfos(cms);
    if (sk_CMS_SignerInfo_num(signers) != 1 || CMS_set1_signers_certs(cms, NULL, 0) != 1) return NULL;
    CMS_SignerInfo_get0_algs(sk_CMS_SignerInfo_value(signers, 0), NULL, &signer, NULL, NULL);
    return signer;
}

oss_signed_message *oss_signed_message_read(const uint8_t *bytes, size_t length) {
    if (length == 0 || length > OSS_SIGNED_MESSAGE_CAPACITY) return NULL;
    oss_signed_message *message = OPENSSL_zalloc(sizeof *message);
    if (message == NULL) return NULL;
    const uint8_t *cursor = bytes;
    CMS_ContentInfo *cms = message->cms = d2i_CMS_ContentInfo(NULL, &cursor, (long)length);
    int usable = cms != NULL && cursor == bytes + length && OBJ_obj2nid(CMS_get0_type(cms)) == NID_pkcs7_signed;
    if (usable) {
        ASN1_OCTET_STRING **content = CMS_get0_content(cms);
        message->content = content == NULL ? NULL : *content;
        message->certificates = CMS_get1_certs(cms);
        message->signer = find_signer(cms);
    }
    ERR_clear_error();
    if (usable) return message;
    oss_signed_message_free(message);
    return NULL;
}

void oss_signed_message_free(oss_signed_message *message) {
    if (message == NULL) return;
    sk_X509_pop_free(message->certificates, X509_free);
    CMS_ContentInfo_free(message->cms);
    OPENSSL_free(message);
}

const uint8_t *oss_signed_message_content(const oss_signed_message *message, size_t *length) {
    *length = message->content == NULL ? 0 : (size_t)ASN1_STRING_length(message->content);
    return message->content == NULL ? NULL : ASN1_STRING_get0_data(message->content);
}

size_t oss_signed_message_certificate(const oss_signed_message *message, size_t index, uint8_t *out, size_t capacity,
                                      int *is_signer) {
    // For a missing list, sk_X509_num returns -1, so that case is excluded first.
    if (message->certificates == NULL || index >= (size_t)sk_X509_num(message->certificates)) return 0;
    X509 *x509 = sk_X509_value(message->certificates, (int)index);
    int length = i2d_X509(x509, NULL);
    if (length > 0 && (size_t)length <= capacity) i2d_X509(x509, &out);
    ERR_clear_error();
    *is_signer = message->signer != NULL && X509_cmp(x509, message->signer) == 0;
    return length > 0 && (size_t)length <= capacity ? (size_t)length : 0;
}

static const EVP_MD *digest_of(CMS_SignerInfo *signer) {
    X509_ALGOR *algorithm = NULL;
    CMS_SignerInfo_get0_algs(signer, NULL, NULL, &algorithm, NULL);
    switch (OBJ_obj2nid(algorithm->algorithm)) {
    case NID_sha1: return EVP_sha1();
    case NID_sha256: return EVP_sha256();
    case NID_sha384: return EVP_sha384();
    case NID_sha512: return EVP_sha512();
    default: return NULL;
    }
}

int oss_signed_message_is_signed(oss_signed_message *message) {
    if (message->signer == NULL || message->content == NULL) return 0;
    CMS_SignerInfo *signer = sk_CMS_SignerInfo_value(CMS_get0_SignerInfos(message->cms), 0);
    const EVP_MD *digest = digest_of(signer);
    // CMS_verify is not used, because it digests the content once for each algorithm that the message lists. A forged message can
    // list 200,000 of them.
    BIO *hash = BIO_new(BIO_f_md()), *sink = BIO_new(BIO_s_null());
    int length = ASN1_STRING_length(message->content);
    int valid = digest != NULL && hash != NULL && sink != NULL && BIO_set_md(hash, digest) == 1 && BIO_push(hash, sink) == hash &&
                (length == 0 || BIO_write(hash, ASN1_STRING_get0_data(message->content), length) == length) &&
                // Signed attributes are verified if there are any. The caller verifies the certificates.
                (CMS_signed_get_attr_count(signer) < 0 || CMS_SignerInfo_verify(signer) == 1) &&
                CMS_SignerInfo_verify_content(signer, hash) == 1;
    BIO_free(sink);
    BIO_free(hash);
    ERR_clear_error();
    return valid;
}

int oss_asn1_read(const uint8_t *bytes, size_t length, oss_asn1 *element) {
    const uint8_t *cursor = bytes;
    long content = 0;
    int tag = 0, class = 0;
    if (length == 0 || length > OSS_SIGNED_MESSAGE_CAPACITY) return 0;
    int flags = ASN1_get_object(&cursor, &content, &tag, &class, (long)length);
    ERR_clear_error();
    // In these flags 0x80 means an error, and 0x01 an indefinite length.
    if ((flags & 0x81) != 0 || class != V_ASN1_UNIVERSAL) return 0;
    *element = (oss_asn1){.tag = tag, .header_length = (size_t)(cursor - bytes), .content_length = (size_t)content};
    return 1;
}
