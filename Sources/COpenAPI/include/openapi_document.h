// The OpenAPI document as it is served. The compiler for C takes a file in at once, that for Swift takes a minute over its bytes.
#ifndef OFFERSIGNER_OPENAPI_DOCUMENT_H
#define OFFERSIGNER_OPENAPI_DOCUMENT_H

#include <stddef.h>
#include <stdint.h>

/// Where it begins. It is there as long as the program.
const uint8_t *oa_document(void);

/// How many bytes it has.
size_t oa_length(void);

#endif
