package io.stowline.batching;

import io.stowline.batching.internal.OpenWriterWarning;

/** What only a test sets of an engine. */
public final class BuilderAccess {

    private BuilderAccess() {}

    /** Has the writers of an engine watched by another warning than that of the process. */
    public static void watch(BatchingEngine.Builder<?, ?, ?> builder, OpenWriterWarning exits) {
        builder.exits = exits;
    }
}
