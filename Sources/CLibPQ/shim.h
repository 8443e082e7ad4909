// PostgreSQL's client library, with the header path of Debian.
#include <postgresql/libpq-fe.h>
