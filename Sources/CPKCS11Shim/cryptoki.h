// The part of PKCS#11 v2.40 that the service uses, with the names of the standard. On Linux, its structures are not packed.
#ifndef OFFERSIGNER_CRYPTOKI_H
#define OFFERSIGNER_CRYPTOKI_H

typedef unsigned char CK_BYTE;
typedef unsigned long CK_ULONG;
typedef CK_ULONG CK_RV;

typedef struct {
    CK_BYTE major;
    CK_BYTE minor;
} CK_VERSION;

typedef struct {
    CK_BYTE label[32];
    CK_BYTE manufacturer_id[32];
    CK_BYTE model[16];
    CK_BYTE serial_number[16];
    CK_ULONG flags;
    CK_ULONG session_and_memory_counts[10];
    CK_VERSION hardware_version;
    CK_VERSION firmware_version;
    CK_BYTE utc_time[16];
} CK_TOKEN_INFO;

typedef struct {
    CK_ULONG slot;
    CK_ULONG state;
    CK_ULONG flags;
    CK_ULONG device_error;
} CK_SESSION_INFO;

typedef struct {
    CK_ULONG type;
    void *value;
    CK_ULONG length;
} CK_ATTRIBUTE;

typedef struct {
    CK_ULONG mechanism;
    void *parameter;
    CK_ULONG length;
} CK_MECHANISM;

typedef struct {
    void *create_mutex;
    void *destroy_mutex;
    void *lock_mutex;
    void *unlock_mutex;
    CK_ULONG flags;
    void *reserved;
} CK_C_INITIALIZE_ARGS;

typedef CK_RV (*CK_UNUSED)(void);

typedef struct {
    CK_VERSION version;
    CK_RV (*C_Initialize)(CK_C_INITIALIZE_ARGS *arguments);
    CK_RV (*C_Finalize)(void *reserved);
    CK_UNUSED C_GetInfo;
    CK_UNUSED C_GetFunctionList;
    CK_RV (*C_GetSlotList)(CK_BYTE with_token, CK_ULONG *slots, CK_ULONG *count);
    CK_UNUSED C_GetSlotInfo;
    CK_RV (*C_GetTokenInfo)(CK_ULONG slot, CK_TOKEN_INFO *info);
    CK_UNUSED C_GetMechanismList;
    CK_UNUSED C_GetMechanismInfo;
    CK_UNUSED C_InitToken;
    CK_UNUSED C_InitPIN;
    CK_UNUSED C_SetPIN;
    CK_RV (*C_OpenSession)(CK_ULONG slot, CK_ULONG flags, void *context, void *notify, CK_ULONG *session);
    CK_RV (*C_CloseSession)(CK_ULONG session);
    CK_UNUSED C_CloseAllSessions;
    CK_RV (*C_GetSessionInfo)(CK_ULONG session, CK_SESSION_INFO *info);
    CK_UNUSED C_GetOperationState;
    CK_UNUSED C_SetOperationState;
    CK_RV (*C_Login)(CK_ULONG session, CK_ULONG user, const CK_BYTE *pin, CK_ULONG length);
    CK_UNUSED C_Logout;
    CK_UNUSED C_CreateObject;
    CK_UNUSED C_CopyObject;
    CK_UNUSED C_DestroyObject;
    CK_UNUSED C_GetObjectSize;
    CK_RV (*C_GetAttributeValue)(CK_ULONG session, CK_ULONG object, CK_ATTRIBUTE *attributes, CK_ULONG count);
    CK_UNUSED C_SetAttributeValue;
    CK_RV (*C_FindObjectsInit)(CK_ULONG session, CK_ATTRIBUTE *attributes, CK_ULONG count);
    CK_RV (*C_FindObjects)(CK_ULONG session, CK_ULONG *objects, CK_ULONG capacity, CK_ULONG *count);
    CK_RV (*C_FindObjectsFinal)(CK_ULONG session);
    CK_UNUSED C_Encrypt_Init_One_Update_Final[4];
    CK_UNUSED C_Decrypt_Init_One_Update_Final[4];
    CK_UNUSED C_Digest_Init_One_Update_Key_Final[5];
    CK_RV (*C_SignInit)(CK_ULONG session, CK_MECHANISM *mechanism, CK_ULONG key);
    CK_RV (*C_Sign)(CK_ULONG session, const CK_BYTE *data, CK_ULONG length, CK_BYTE *signature, CK_ULONG *signature_length);
    // The functions from C_SignUpdate on are left out, because the service does not call them.
} CK_FUNCTION_LIST;

enum {
    CKA_CLASS = 0x000,
    CKA_TOKEN = 0x001,
    CKA_LABEL = 0x003,
    CKA_ID = 0x102,
    CKF_OS_LOCKING_OK = 0x2,
    CKF_SERIAL_SESSION = 0x4,
    CKM_ECDSA = 0x1041,
    CKR_CRYPTOKI_ALREADY_INITIALIZED = 0x191,
    CKR_BUFFER_TOO_SMALL = 0x150,
    CKU_USER = 1,
};

#endif
