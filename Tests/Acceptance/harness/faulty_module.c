// A PKCS#11 module that forwards each call to another module, and records log-ins. The files in a folder make it fail. As long as
// `hang` exists, calls do not return. With `wrong`, signatures are altered. With `closed`, it reports that sessions are closed.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../../Sources/CPKCS11Shim/cryptoki.h"

static CK_FUNCTION_LIST *real;
static CK_FUNCTION_LIST ours;

static const char *path(const char *name) {
    static __thread char text[512];
    snprintf(text, sizeof text, "%s/%s", getenv("FAULTY_MODULE_FOLDER"), name);
    return text;
}

static int is(const char *fault) { return access(path(fault), F_OK) == 0; }

static void hang(void) {
    while (is("hang")) usleep(10000);
}

static CK_RV login(CK_ULONG session, CK_ULONG user, const CK_BYTE *pin, CK_ULONG length) {
    CK_RV code = real->C_Login(session, user, pin, length);
    FILE *log = fopen(path("logins"), "a");
    fprintf(log, "0x%lx\n", code);
    fclose(log);
    return code;
}

static CK_RV check(CK_ULONG session, CK_SESSION_INFO *info) {
    hang();
    return is("closed") ? 0xb3 : real->C_GetSessionInfo(session, info);
}

static CK_RV sign(CK_ULONG session, const CK_BYTE *data, CK_ULONG length, CK_BYTE *signature, CK_ULONG *signature_length) {
    hang();
    CK_RV code = real->C_Sign(session, data, length, signature, signature_length);
    if (code == 0 && is("wrong")) signature[7] ^= 1;
    return code;
}

CK_RV C_GetFunctionList(CK_FUNCTION_LIST **list) {
    void *module = dlopen(getenv("FAULTY_MODULE_TARGET"), RTLD_NOW);
    CK_RV (*give)(CK_FUNCTION_LIST **);
    *(void **)&give = dlsym(module, "C_GetFunctionList");
    CK_RV code = give(&real);
    ours = *real;
    ours.C_Login = login;
    ours.C_GetSessionInfo = check;
    ours.C_Sign = sign;
    *list = &ours;
    return code;
}
