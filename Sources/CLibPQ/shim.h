// PostgreSQL's client library, as Debian lays its header out.
#include <postgresql/libpq-fe.h>
