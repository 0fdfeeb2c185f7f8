package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.callback.RankedQueue;
import io.stowline.batching.internal.callback.RankedQueue.QueuePlace;
import io.stowline.batching.internal.writer.BatcherErrors;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The writers that try, by the time when they may give up: each at most once; under the engine's lock. */
final class GiveUpTimes<K, I, R> {

    private final EngineLock<K, I, R> engine;
    private final RankedQueue<EngineBatcher<K, I, R>> writers = new RankedQueue<>();

    GiveUpTimes(EngineLock<K, I, R> engine) {
        this.engine = engine;
    }

    void dispatched(EngineBatcher<K, I, R> writer) {
        writer.progress().dispatched(engine.timeOfHold());
        watch(writer);
    }

    /** Forgets a writer that has nothing to be delivered: it may never be used again. */
    void rest(EngineBatcher<K, I, R> writer) {
        writer.progress().rest();
        writers.remove(writer.watched);
        writer.watched = null;
    }

    /** Returns the number of writers that it watches. */
    int watched() {
        return writers.size();
    }

    void responded(EngineBatcher<K, I, R> writer) {
        writer.progress().responded(engine.timeOfHold());
    }

    /** Returns the next time at which a writer must be checked. */
    long due() {
        return writers.firstRank(Lane.NEVER);
    }

    void timeOver(long now) {
        for (QueuePlace<EngineBatcher<K, I, R>> next = writers.first();
                next != null && next.rank() <= now;
                next = writers.first()) {
            writers.remove(next);
            EngineBatcher<K, I, R> writer = next.member();
            writer.watched = null;
            if (writer.broken == null && writer.progress().due() <= now) {
                engine.shutdown().giveUp(writer);
            } else {
                watch(writer);
            }
        }
    }

    /** A success before that time only means another check then. */
    private void watch(EngineBatcher<K, I, R> writer) {
        long due = writer.progress().due();
        if (writer.watched == null && writer.broken == null && due != Lane.NEVER) {
            writer.watched = writers.add(writer, due);
        }
    }

    /** The progress of a writer, and the time since which it has tried in vain; guarded by the engine's lock. */
    static final class WriterProgress {

        private final @Nullable Duration giveUpAfter;
        private int flights;
        private long waitingSince = Lane.NEVER;
        private long succeeded;
        private long failed;
        private @Nullable Throwable last;

        WriterProgress(@Nullable Duration giveUpAfter) {
            this.giveUpAfter = giveUpAfter;
        }

        void dispatched(long now) {
            flights++;
            if (waitingSince == Lane.NEVER) {
                waitingSince = now;
            }
        }

        void landed() {
            flights--;
        }

        /** Records a response for an item; the time of the other batches in flight begins again. */
        void responded(long now) {
            waitingSince = flights > 0 ? now : Lane.NEVER;
        }

        /** Stops the time while there is nothing to deliver: the batches in flight were given up. */
        void rest() {
            waitingSince = Lane.NEVER;
        }

        long succeeded() {
            return succeeded;
        }

        long failed() {
            return failed;
        }

        void ended(@Nullable Throwable failure) {
            if (failure == null) {
                succeeded++;
            } else {
                failed++;
                last = failure;
            }
        }

        /** Notes what an attempt ended with that is not the end of its items. */
        void tried(Throwable end) {
            last = end;
        }

        /** Returns the time at which the writer gives up unless there is a success before. */
        long due() {
            return giveUpAfter == null || waitingSince == Lane.NEVER
                    ? Lane.NEVER
                    : waitingSince + giveUpAfter.toNanos();
        }

        RuntimeException gaveUp(BatcherErrors errors, long unsent, long inFlight) {
            return errors.gaveUp(
                    giveUpAfter == null ? Duration.ZERO : giveUpAfter, unsent, inFlight, failed, succeeded, last);
        }
    }
}
