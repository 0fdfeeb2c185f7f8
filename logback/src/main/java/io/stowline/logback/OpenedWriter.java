package io.stowline.logback;

import io.stowline.Stowline;
import io.stowline.journal.Journal;
import io.stowline.records.RecordWriter;
import org.jspecify.annotations.Nullable;

/**
 * A writer of an appender with the client and the journal that were opened for it.
 *
 * @param writer the writer
 * @param failingFast the same writer without waiting
 * @param waits whether a write waits for room no longer than logging may wait
 * @param client the client that serves this appender alone
 * @param journal the journal that serves this appender alone
 */
record OpenedWriter(
        RecordWriter<byte[]> writer,
        RecordWriter<byte[]> failingFast,
        boolean waits,
        @Nullable Stowline client,
        @Nullable Journal journal) {

    OpenedWriter(RecordWriter<byte[]> writer, boolean waits, @Nullable Stowline client, @Nullable Journal journal) {
        this(writer, writer.failingFast(), waits, client, journal);
    }

    /** Closes the client, and then the journal: no upload is in flight when another process may open the folder. The writer is closed before. */
    static void close(@Nullable Stowline client, @Nullable Journal journal) {
        try {
            if (client != null) {
                client.close();
            }
        } finally {
            if (journal != null) {
                journal.close();
            }
        }
    }
}
