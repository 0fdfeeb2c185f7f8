package io.stowline.records.internal.engine;

import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.records.internal.chunk.ChunkName;
import io.stowline.records.internal.chunk.ChunkSeal;
import io.stowline.records.internal.chunk.OpenChunk;
import io.stowline.records.internal.chunk.SealedChunk;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A chunk with its share of the writer's numbers, from its first record to its end. The numbers are guarded by the writer's lock. */
final class BufferedChunk {

    private final ChunkName name;
    private final @Nullable OpenChunk open;
    private final boolean found;
    private @Nullable SealedChunk sealed;
    private int records;
    private long bytes;
    private long ordinal;
    private long due;
    private boolean ended;
    private boolean inFlight;
    private boolean unsettled;
    private @Nullable Throwable error;

    private BufferedChunk(ChunkName name, @Nullable OpenChunk open, @Nullable SealedChunk sealed, boolean found) {
        this.name = name;
        this.open = open;
        this.sealed = sealed;
        this.found = found;
    }

    static BufferedChunk open(OpenChunk open) {
        return new BufferedChunk(open.name(), open, null, false);
    }

    /** Returns a chunk that an earlier process has left. */
    static BufferedChunk found(SealedChunk sealed) {
        BufferedChunk chunk = new BufferedChunk(sealed.name(), null, sealed, true);
        chunk.records = sealed.records();
        chunk.bytes = sealed.bytes();
        return chunk;
    }

    ChunkName name() {
        return name;
    }

    OpenChunk open() {
        return Objects.requireNonNull(open);
    }

    boolean isFound() {
        return found;
    }

    /** Returns the sealed chunk, which the delivery makes of the open one; only its thread calls this. */
    SealedChunk sealed() {
        SealedChunk made = sealed;
        if (made == null) {
            made = open().seal();
            sealed = made;
        }
        return made;
    }

    /** Returns where it stands or is to stand, or {@code null} if that is not decided; only the thread of the delivery calls this. */
    @Nullable
    ChunkSeal seal() {
        return sealed == null ? null : sealed.seal();
    }

    /** Notes that a try begins; this and the end of a try only by the thread of the delivery. */
    void inFlight() {
        inFlight = true;
    }

    /** Notes the error of a try. Once one may have had its effect, no later refusal shows that it had none. */
    void failed(Throwable failure) {
        inFlight = false;
        unsettled |= !(failure instanceof StorageException known)
                || failure instanceof OutcomeUnknownException
                || known.failure().unansweredAttempts() > 0;
        error = failure;
    }

    /** Returns whether it may be in its blob: a try is on its way, or the outcome of one is open. */
    boolean isUnsettled() {
        return inFlight || unsettled;
    }

    /** Returns the error of its last try, or {@code null} if none has ended. */
    @Nullable
    Throwable error() {
        return error;
    }

    int records() {
        return records;
    }

    long bytes() {
        return bytes;
    }

    void add(int length) {
        records++;
        bytes += length;
    }

    void remove(int length) {
        records--;
        bytes -= length;
    }

    /** Returns its number in the order of delivery, from 1; 0 while it is open. */
    long ordinal() {
        return ordinal;
    }

    /** Returns the time in nanoseconds after which it fails, where there is such a limit. */
    long due() {
        return due;
    }

    void queued(long number, long dueAt) {
        this.ordinal = number;
        this.due = dueAt;
    }

    boolean isEnded() {
        return ended;
    }

    void end() {
        ended = true;
    }
}
