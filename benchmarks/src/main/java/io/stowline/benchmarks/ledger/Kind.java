package io.stowline.benchmarks.ledger;

import java.util.Locale;

/** The kinds of operations that are told apart in the report. */
enum Kind {
    INSERT,
    CLAIM,
    UPDATE,
    MERGE,
    UPSERT,
    DELETE,
    DELETE_VERSION,
    TRANSACTION,
    WRITER,
    SEND,
    DELETE_MESSAGE,
    APPEND,
    APPEND_SHARED;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
