package io.stowline.records.internal.read;

import io.stowline.records.internal.chunk.ChunkName;
import io.stowline.records.internal.name.Sessions;
import java.time.Instant;

/**
 * A blob of records that a listing has shown.
 *
 * @param name its name
 * @param chunk its chunk; of an append blob the first one
 * @param size its bytes
 * @param grows whether it may have more later
 */
record RecordBlob(String name, ChunkName chunk, long size, boolean grows) {

    /** Returns the end of its interval. */
    Instant end() {
        return end(chunk.interval(), chunk.session());
    }

    /** Returns the end of an interval of a session. */
    static Instant end(Instant interval, String session) {
        return interval.plus(Sessions.every(session));
    }
}
