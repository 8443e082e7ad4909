#include "openapi_document.h"

// Of C23, which the compiler has as an extension of older ones.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t document[] = {
#embed "../OfferHTTP/Resources/openapi.json"
};

const uint8_t *oa_document(void) { return document; }

size_t oa_length(void) { return sizeof document; }
