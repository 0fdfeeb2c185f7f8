package io.stowline.system.ledger.script;

import java.util.Locale;

/** The kinds of operations that are distinguished in the report. */
public enum Kind {
    INSERT,
    CLAIM,
    UPDATE,
    MERGE,
    UPSERT,
    DELETE,
    DELETE_VERSION,
    TRANSACTION,
    WRITER,
    COALESCED,
    JOURNALED,
    INDEXED,
    SEND,
    DELETE_MESSAGE,
    APPEND,
    APPEND_SHARED,
    CREATE_BLOB,
    DELETE_BLOB,
    CACHED_READ;

    /** Returns whether several go out together, each to one entity. */
    public boolean isWriter() {
        return this == WRITER || this == COALESCED || this == JOURNALED;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
