package main

/*
#cgo LDFLAGS: -lsqlite3
#include <sqlite3.h>
#include <stdlib.h>

// A transient copy: Go's memory may move on.
static int bind_text(sqlite3_stmt *statement, int index, const char *text, int length) {
	return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}
*/
import "C"

import (
	"errors"
	"strconv"
	"unsafe"
)

// What many requests may share of one transaction.
const maxBatch = 256

// ledger is one durable row a signature: a nonce is the primary key, and an answer waits for its commit.
type ledger struct {
	submissions chan submission
}

type submission struct {
	signatures []signedOffer
	done       chan error
}

func openLedger(path string) (*ledger, error) {
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	var database *C.sqlite3
	if C.sqlite3_open(name, &database) != C.SQLITE_OK {
		return nil, errors.New(C.GoString(C.sqlite3_errmsg(database)))
	}
	l := &ledger{submissions: make(chan submission, maxBatch)}
	for _, sql := range []string{
		"PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL",
		"CREATE TABLE IF NOT EXISTS signature (nonce TEXT PRIMARY KEY, product TEXT NOT NULL, offer TEXT NOT NULL, " +
			"username TEXT NOT NULL, signed_at TEXT NOT NULL, signature TEXT NOT NULL) WITHOUT ROWID",
	} {
		if err := run(database, sql); err != nil {
			return nil, err
		}
	}
	insertion, err := prepare(database, "INSERT INTO signature VALUES (?, ?, ?, ?, ?, ?)")
	if err != nil {
		return nil, err
	}
	go l.commit(database, insertion)
	return l, nil
}

// record returns once the rows are durable.
func (l *ledger) record(signatures []signedOffer) error {
	done := make(chan error, 1)
	l.submissions <- submission{signatures, done}
	return <-done
}

// commit writes whatever waits in one transaction after the other.
func (l *ledger) commit(database *C.sqlite3, insertion *C.sqlite3_stmt) {
	for first := range l.submissions {
		batch := []submission{first}
		for len(batch) < maxBatch && len(l.submissions) > 0 {
			batch = append(batch, <-l.submissions)
		}
		err := write(database, insertion, batch)
		for _, each := range batch {
			each.done <- err
		}
	}
}

func write(database *C.sqlite3, insertion *C.sqlite3_stmt, batch []submission) error {
	if err := run(database, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	for _, each := range batch {
		for _, s := range each.signatures {
			fields := []string{s.Nonce, s.ProductID, s.OfferID, s.ApplicationUsername, strconv.FormatInt(s.Timestamp, 10), s.Signature}
			for i, field := range fields {
				// One byte more, since an empty slice has no address.
				bytes := append([]byte(field), 0)
				C.bind_text(insertion, C.int(i+1), (*C.char)(unsafe.Pointer(&bytes[0])), C.int(len(field)))
			}
			code := C.sqlite3_step(insertion)
			C.sqlite3_reset(insertion)
			if code != C.SQLITE_DONE {
				err := errors.New(C.GoString(C.sqlite3_errmsg(database)))
				run(database, "ROLLBACK")
				return err
			}
		}
	}
	return run(database, "COMMIT")
}

func prepare(database *C.sqlite3, sql string) (*C.sqlite3_stmt, error) {
	text := C.CString(sql)
	defer C.free(unsafe.Pointer(text))
	var statement *C.sqlite3_stmt
	if C.sqlite3_prepare_v2(database, text, -1, &statement, nil) != C.SQLITE_OK {
		return nil, errors.New(C.GoString(C.sqlite3_errmsg(database)))
	}
	return statement, nil
}

func run(database *C.sqlite3, sql string) error {
	text := C.CString(sql)
	defer C.free(unsafe.Pointer(text))
	if C.sqlite3_exec(database, text, nil, nil, nil) != C.SQLITE_OK {
		return errors.New(C.GoString(C.sqlite3_errmsg(database)))
	}
	return nil
}
