#include <stdint.h>
#include <string.h>

#include "module.h"

#define CALL(module, code, call)                   \
    do {                                           \
        p11_enter(module);                         \
        (code) = (module)->functions->call;        \
        p11_leave(module);                         \
    } while (0)

enum { MAX_SLOTS = 256 };

// In PKCS#11 a text is padded with blanks and has no NUL at its end. Some modules write NULs nevertheless.
static void copy_text(char *out, const CK_BYTE *padded, size_t size) {
    size_t length = 0;
    while (length < size && padded[length] != 0) length++;
    while (length > 0 && padded[length - 1] == ' ') length--;
    memcpy(out, padded, length);
    out[length] = 0;
}

static unsigned long read_token(p11_module *module, unsigned long slot, p11_token *token) {
    CK_TOKEN_INFO info;
    memset(&info, 0, sizeof info);
    CK_RV code;
    CALL(module, code, C_GetTokenInfo(slot, &info));
    if (code != P11_OK) return code;
    token->slot = slot;
    token->flags = info.flags;
    copy_text(token->label, info.label, sizeof info.label);
    copy_text(token->manufacturer, info.manufacturer_id, sizeof info.manufacturer_id);
    copy_text(token->model, info.model, sizeof info.model);
    copy_text(token->serial, info.serial_number, sizeof info.serial_number);
    return P11_OK;
}

unsigned long p11_tokens(p11_module *module, p11_token *tokens, size_t capacity, size_t *count) {
    CK_ULONG slots[MAX_SLOTS];
    CK_ULONG slot_count = 0;
    CK_RV code;
    *count = 0;
    // The first call passes no array. According to the standard (C_GetSlotList), only such a call makes a module look for new
    // tokens.
    CALL(module, code, C_GetSlotList(1, NULL, &slot_count));
    if (code != P11_OK) return code;
    slot_count = MAX_SLOTS;
    CALL(module, code, C_GetSlotList(1, slots, &slot_count));
    if (code != P11_OK) return code;
    for (CK_ULONG i = 0; i < slot_count && i < MAX_SLOTS && *count < capacity; i++)
        if (read_token(module, slots[i], &tokens[*count]) == P11_OK) (*count)++;
    return P11_OK;
}

unsigned long p11_flags(p11_module *module, unsigned long slot, unsigned long *flags) {
    p11_token token;
    CK_RV code = read_token(module, slot, &token);
    *flags = code == P11_OK ? token.flags : 0;
    return code;
}

unsigned long p11_open_session(p11_module *module, unsigned long slot, unsigned long *session) {
    CK_RV code;
    CALL(module, code, C_OpenSession(slot, CKF_SERIAL_SESSION, NULL, NULL, session));
    return code;
}

unsigned long p11_close_session(p11_module *module, unsigned long session) {
    CK_RV code;
    CALL(module, code, C_CloseSession(session));
    return code;
}

unsigned long p11_check_session(p11_module *module, unsigned long session) {
    CK_SESSION_INFO info;
    memset(&info, 0, sizeof info);
    CK_RV code;
    CALL(module, code, C_GetSessionInfo(session, &info));
    return code;
}

unsigned long p11_log_in(p11_module *module, unsigned long session, const uint8_t *pin, size_t length) {
    CK_RV code;
    CALL(module, code, C_Login(session, CKU_USER, pin, length));
    return code;
}

unsigned long p11_find(p11_module *module, unsigned long session, unsigned long kind, const uint8_t *id, size_t id_length,
                       const uint8_t *label, size_t label_length, unsigned long handles[2], size_t *count) {
    CK_ULONG class = kind;
    CK_BYTE yes = 1;
    CK_ATTRIBUTE attributes[4] = {{CKA_CLASS, &class, sizeof class}, {CKA_TOKEN, &yes, sizeof yes}};
    CK_ULONG used = 2, found = 0;
    if (id != NULL) attributes[used++] = (CK_ATTRIBUTE){CKA_ID, (void *)(uintptr_t)id, id_length};
    if (label != NULL) attributes[used++] = (CK_ATTRIBUTE){CKA_LABEL, (void *)(uintptr_t)label, label_length};
    *count = 0;
    CK_RV code, final_code;
    CALL(module, code, C_FindObjectsInit(session, attributes, used));
    if (code != P11_OK) return code;
    // According to the standard, a call may return fewer objects than there are, and the next call returns more.
    while (*count < 2) {
        CALL(module, code, C_FindObjects(session, handles + *count, 2 - *count, &found));
        if (code != P11_OK || found == 0) break;
        if (found > 2 - *count) code = P11_MALFORMED;
        if (code != P11_OK) break;
        *count += found;
    }
    CALL(module, final_code, C_FindObjectsFinal(session));
    return code != P11_OK ? code : final_code;
}

unsigned long p11_read(p11_module *module, unsigned long session, unsigned long object, unsigned long attribute, uint8_t *out,
                       size_t capacity, size_t *length) {
    CK_ATTRIBUTE wanted = {attribute, out, capacity};
    CK_RV code;
    *length = 0;
    CALL(module, code, C_GetAttributeValue(session, object, &wanted, 1));
    if (code != P11_OK) return code;
    if (wanted.length > capacity) return P11_MALFORMED;
    *length = wanted.length;
    return P11_OK;
}

unsigned long p11_read_number(p11_module *module, unsigned long session, unsigned long object, unsigned long attribute,
                              unsigned long *number) {
    CK_ULONG value = 0;
    size_t length = 0;
    CK_RV code = p11_read(module, session, object, attribute, (uint8_t *)&value, sizeof value, &length);
    if (code == P11_OK && length != sizeof value) code = P11_MALFORMED;
    *number = value;
    return code;
}

unsigned long p11_sign(p11_module *module, unsigned long session, unsigned long key,
                       const uint8_t digest[P11_SIGN_DIGEST_SIZE], uint8_t raw[P11_SIGN_RAW_SIZE]) {
    CK_MECHANISM mechanism = {CKM_ECDSA, NULL, 0};
    CK_BYTE signature[2 * P11_SIGN_RAW_SIZE];
    CK_ULONG length = sizeof signature;
    CK_RV code;
    // The module is entered once for both calls, so that it cannot be restarted between them, which would end the session.
    p11_enter(module);
    code = module->functions->C_SignInit(session, &mechanism, key);
    if (code == P11_OK) code = module->functions->C_Sign(session, digest, P11_SIGN_DIGEST_SIZE, signature, &length);
    p11_leave(module);
    if (code == CKR_BUFFER_TOO_SMALL) return P11_MALFORMED;
    if (code != P11_OK) return code;
    // A signature consists of two numbers of equal length (Current Mechanisms 2.3.1). Some modules do not pad them to 32 bytes.
    const size_t half = P11_SIGN_RAW_SIZE / 2, short_half = length / 2;
    if (length == 0 || length % 2 != 0 || short_half > half) return P11_MALFORMED;
    memset(raw, 0, P11_SIGN_RAW_SIZE);
    memcpy(raw + half - short_half, signature, short_half);
    memcpy(raw + 2 * half - short_half, signature + short_half, short_half);
    return P11_OK;
}

const char *p11_name(unsigned long code) {
    static const struct {
        unsigned long code;
        const char *name;
    } names[] = {
        {P11_SLOT_ID_INVALID, "CKR_SLOT_ID_INVALID"},
        {P11_GENERAL_ERROR, "CKR_GENERAL_ERROR"},
        {P11_FUNCTION_FAILED, "CKR_FUNCTION_FAILED"},
        {P11_DEVICE_ERROR, "CKR_DEVICE_ERROR"},
        {P11_DEVICE_MEMORY, "CKR_DEVICE_MEMORY"},
        {P11_DEVICE_REMOVED, "CKR_DEVICE_REMOVED"},
        {P11_KEY_HANDLE_INVALID, "CKR_KEY_HANDLE_INVALID"},
        {P11_KEY_TYPE_INCONSISTENT, "CKR_KEY_TYPE_INCONSISTENT"},
        {P11_KEY_FUNCTION_NOT_PERMITTED, "CKR_KEY_FUNCTION_NOT_PERMITTED"},
        {P11_MECHANISM_INVALID, "CKR_MECHANISM_INVALID"},
        {P11_OBJECT_HANDLE_INVALID, "CKR_OBJECT_HANDLE_INVALID"},
        {P11_OPERATION_ACTIVE, "CKR_OPERATION_ACTIVE"},
        {P11_PIN_INCORRECT, "CKR_PIN_INCORRECT"},
        {P11_PIN_INVALID, "CKR_PIN_INVALID"},
        {P11_PIN_LEN_RANGE, "CKR_PIN_LEN_RANGE"},
        {P11_PIN_EXPIRED, "CKR_PIN_EXPIRED"},
        {P11_PIN_LOCKED, "CKR_PIN_LOCKED"},
        {P11_SESSION_CLOSED, "CKR_SESSION_CLOSED"},
        {P11_SESSION_COUNT, "CKR_SESSION_COUNT"},
        {P11_SESSION_HANDLE_INVALID, "CKR_SESSION_HANDLE_INVALID"},
        {P11_TOKEN_NOT_PRESENT, "CKR_TOKEN_NOT_PRESENT"},
        {P11_TOKEN_NOT_RECOGNIZED, "CKR_TOKEN_NOT_RECOGNIZED"},
        {P11_USER_NOT_LOGGED_IN, "CKR_USER_NOT_LOGGED_IN"},
        {P11_USER_PIN_NOT_INITIALIZED, "CKR_USER_PIN_NOT_INITIALIZED"},
        {P11_CRYPTOKI_NOT_INITIALIZED, "CKR_CRYPTOKI_NOT_INITIALIZED"},
        {P11_MALFORMED, "an answer that is not one of PKCS#11"},
        {P11_BUSY, "calls that do not return"},
        {P11_WRONG_SIGNATURE, "a signature that does not verify"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].code == code) return names[i].name;
    return NULL;
}
