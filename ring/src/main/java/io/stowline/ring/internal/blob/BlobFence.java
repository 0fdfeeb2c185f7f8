package io.stowline.ring.internal.blob;

import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.ring.PartitionMovingException;
import io.stowline.ring.internal.move.MovePause;
import io.stowline.ring.internal.move.RingDescription;
import io.stowline.ring.internal.move.RingEpoch;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The reads and writes of applications on blobs that may move. Each one depends on the version that decides where the blob is, and begins
 * again if that has changed. Thread-safe.
 */
public final class BlobFence {

    private static final Duration PAUSE = Duration.ofMillis(50);

    private final BlobStore store;
    private final Function<String, RingDescription> descriptions;
    private final MovePause pause;
    private final Duration deadline;

    /**
     * Makes the way to the blobs.
     *
     * @param descriptions gives the ring's description for a blob, after the check that this process may use the ring
     * @param deadline how long an operation waits for a blob that moves
     */
    public BlobFence(
            BlobStore store, Function<String, RingDescription> descriptions, MovePause pause, Duration deadline) {
        this.store = store;
        this.descriptions = descriptions;
        this.pause = pause;
        this.deadline = deadline;
    }

    /** An operation on one version of a blob. */
    @FunctionalInterface
    public interface VersionedCall<R> {

        /**
         * Carries the operation out, on this version only.
         *
         * @param home where
         * @param version the version, or {@code null} if there is no blob
         */
        R at(RingEpoch home, @Nullable BlobPlace version);
    }

    /**
     * The home of a blob at one time.
     *
     * @param home the home
     * @param version the blob there, reserved ones included, or {@code null}
     * @param unnamed whether the new home decides although the old one has no mark
     */
    private record BlobHome(RingEpoch home, @Nullable BlobPlace version, boolean unnamed) {

        @Nullable
        BlobPlace readable() {
            return version != null && version.isReadable() ? version : null;
        }

        boolean isReserved() {
            return version != null && !version.isReadable();
        }

        boolean isFrozen() {
            return version != null && version.isFrozen();
        }

        boolean isLike(BlobHome other) {
            return home == other.home && etag().equals(other.etag());
        }

        private String etag() {
            return version == null ? "" : version.etag();
        }
    }

    /** Returns the home of all blobs in the phase of the ring, or {@code null} if each one has a place that must be read. */
    public @Nullable RingEpoch settled(String blob) {
        return settled(descriptions.apply(blob));
    }

    private static @Nullable RingEpoch settled(RingDescription description) {
        return description.phase().fenced() ? null : description.phase().home();
    }

    /** The old home decides: a blob in the new one may be a leftover as long as there is an open one in the old. */
    private BlobHome home(String blob, RingDescription description) {
        BlobPlace old = store.find(RingEpoch.OLD, blob);
        if (old == null ? description.phase().home() == RingEpoch.OLD : old.stage() != BlobStage.MOVED) {
            return new BlobHome(RingEpoch.OLD, old, false);
        }
        return new BlobHome(RingEpoch.NEW, store.find(RingEpoch.NEW, blob), old == null);
    }

    /**
     * Reads a blob where it is. The read may run several times; its last result counts.
     *
     * @param plain reads in a home that decides alone
     */
    public <R> R read(String blob, Function<RingEpoch, R> plain, VersionedCall<R> call) {
        BlobWaits waits = new BlobWaits();
        while (true) {
            RingDescription description = descriptions.apply(blob);
            RingEpoch settled = settled(description);
            if (settled != null) {
                return plain.apply(settled);
            }
            BlobHome home = home(blob, description);
            try {
                return call.at(home.home(), home.readable());
            } catch (NotFoundException | PreconditionFailedException e) {
                if (home.isLike(home(blob, descriptions.apply(blob)))) {
                    throw home.isReserved() ? new NotFoundException(e.failure(), e) : e;
                }
            }
            waits.next();
        }
    }

    /**
     * Writes a blob where it is, once it may be written.
     *
     * @param repeatable whether the write can be sent again
     * @param plain writes in a home that decides alone
     * @throws OutcomeUnknownException if the blob moved during the write, so that a refusal may have come after its success
     */
    public <R> R write(String blob, boolean repeatable, Function<RingEpoch, R> plain, VersionedCall<R> call) {
        BlobWaits waits = new BlobWaits();
        StorageException before = null;
        while (true) {
            RingDescription description = descriptions.apply(blob);
            RingEpoch settled = settled(description);
            if (settled != null && before == null) {
                return plain.apply(settled);
            }
            BlobHome home =
                    settled == null ? home(blob, description) : new BlobHome(settled, store.find(settled, blob), false);
            if (home.unnamed()) {
                store.mark(RingEpoch.OLD, blob, null, BlobStage.MOVED, description.term());
            } else if (!home.isFrozen()) {
                if (home.isReserved()) {
                    // a mover that was overtaken has left it
                    store.remove(home.home(), Objects.requireNonNull(home.version()));
                    continue;
                }
                try {
                    return call.at(home.home(), home.version());
                } catch (ConflictException | NotFoundException | PreconditionFailedException e) {
                    BlobHome after = home(blob, descriptions.apply(blob));
                    if (home.isLike(after)) {
                        throw before == null ? e : unknown(e);
                    }
                    if (!repeatable) {
                        throw unknown(e);
                    }
                    before = home.home() != after.home() || after.isFrozen() ? e : before;
                }
            }
            waits.next();
        }
    }

    private static OutcomeUnknownException unknown(StorageException refusal) {
        return new OutcomeUnknownException(
                refusal.failure(), "the blob moved to another account during the write: read it", refusal);
    }

    /** The waits of one operation for a blob that moves. */
    private final class BlobWaits {

        private final long begun = pause.nanos();
        private int number;

        /** The first two go on at once: most operations meet one step of a mover. */
        void next() {
            if (pause.nanos() - begun >= deadline.toNanos()) {
                throw new PartitionMovingException(store.name(), deadline);
            }
            if (++number > 2) {
                pause.await(PAUSE);
            }
        }
    }
}
