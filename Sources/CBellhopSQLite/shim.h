#pragma once
#include <sqlite3.h>

// SQLITE_STATIC and SQLITE_TRANSIENT are casts in a macro, which the importer cannot see.
static inline int bellhop_sqlite_bind_static_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
    return sqlite3_bind_text(statement, index, bytes, count, SQLITE_STATIC);
}

static inline int bellhop_sqlite_bind_copied_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
    return sqlite3_bind_text(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int bellhop_sqlite_bind_copied_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// sqlite3_db_config is variadic.
static inline int bellhop_sqlite_keep_wal_on_close(sqlite3 *database, int keep) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep, (int *)0);
}

// sqlite3_config is variadic. Both answer SQLITE_MISUSE, and change nothing, once SQLite is at work.
static inline void bellhop_sqlite_configure(void) {
    // No mutex around each allocation for the sake of statistics that nobody reads.
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
}

// An extended code is a macro with shifts in it.
static const int bellhop_sqlite_short_read = SQLITE_IOERR_SHORT_READ;
static const int bellhop_sqlite_shared_memory_size = SQLITE_IOERR_SHMSIZE;
