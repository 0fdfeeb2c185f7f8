package io.stowline.records.internal.chunk;

import java.time.Instant;
import java.util.Objects;

/**
 * The identity of a chunk: fixed when it is opened, and the same after a crash. The sequence of one session grows by one from chunk to
 * chunk, and its intervals never go back, so that the order of the sequence is the order of the records.
 *
 * @param interval the begin of the interval of UTC time in which its records were accepted
 * @param session the writer of one process, in characters that blob names and files may have
 * @param sequence the chunk's number in the session, from 0
 */
public record ChunkName(Instant interval, String session, long sequence) {

    public ChunkName {
        Objects.requireNonNull(interval, "interval");
        Objects.requireNonNull(session, "session");
    }
}
