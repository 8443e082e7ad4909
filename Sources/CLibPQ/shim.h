// Makes libpq, PostgreSQL's client library, visible to Swift. The path of the header is the one on Debian and Ubuntu.
#include <postgresql/libpq-fe.h>
