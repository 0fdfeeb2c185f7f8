package io.stowline.batching.internal.engine;

import io.stowline.batching.GaveUpException;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The writers that try, by the time when they may give up: each at most once; under the engine's lock. */
final class GiveUpTimes<K, I, R> {

    private final EngineLock<K, I, R> engine;
    private final PriorityQueue<Look<K, I, R>> looks =
            new PriorityQueue<>(Comparator.<Look<K, I, R>>comparingLong(Look::at));

    private record Look<K, I, R>(EngineBatcher<K, I, R> writer, long at) {}

    GiveUpTimes(EngineLock<K, I, R> engine) {
        this.engine = engine;
    }

    void dispatched(EngineBatcher<K, I, R> writer) {
        WriterProgress progress = writer.progress();
        progress.dispatched(engine.timeOfHold());
        look(writer);
    }

    void answered(EngineBatcher<K, I, R> writer) {
        writer.progress().answered(engine.timeOfHold());
    }

    /** When a writer has to be looked at next. */
    long due() {
        Look<K, I, R> next = looks.peek();
        return next == null ? Lane.NEVER : next.at();
    }

    void timeOver(long now) {
        for (Look<K, I, R> next = looks.peek(); next != null && next.at() <= now; next = looks.peek()) {
            looks.remove();
            EngineBatcher<K, I, R> writer = next.writer();
            writer.progress().watched = false;
            if (writer.broken == null && writer.progress().due() <= now) {
                engine.shutdown().giveUp(writer);
            } else {
                look(writer);
            }
        }
    }

    /** A success before that time only means that it is looked at again then. */
    private void look(EngineBatcher<K, I, R> writer) {
        WriterProgress progress = writer.progress();
        long due = progress.due();
        if (!progress.watched && writer.broken == null && due != Lane.NEVER) {
            progress.watched = true;
            looks.add(new Look<>(writer, due));
        }
    }

    /** What a writer has reached so far, and since when it has tried in vain; guarded by the engine's lock. */
    static final class WriterProgress {

        /** Whether the engine watches its time. */
        boolean watched;

        private final @Nullable Duration giveUpAfter;
        private int flights;
        private long tryingSince = Lane.NEVER;
        private long succeeded;
        private long failed;
        private @Nullable Throwable last;

        WriterProgress(@Nullable Duration giveUpAfter) {
            this.giveUpAfter = giveUpAfter;
        }

        void dispatched(long now) {
            flights++;
            if (tryingSince == Lane.NEVER) {
                tryingSince = now;
            }
        }

        void landed() {
            flights--;
        }

        /** The service has answered for an item; the time of what is in flight besides begins again. */
        void answered(long now) {
            tryingSince = flights > 0 ? now : Lane.NEVER;
        }

        /** There is nothing to be delivered, so that no time runs. */
        void rest() {
            if (flights == 0) {
                tryingSince = Lane.NEVER;
            }
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

        /** When the writer gives up unless there is a success before. */
        long due() {
            return giveUpAfter == null || tryingSince == Lane.NEVER ? Lane.NEVER : tryingSince + giveUpAfter.toNanos();
        }

        GaveUpException gaveUp(long unsent, long inFlight) {
            return new GaveUpException(
                    giveUpAfter == null ? Duration.ZERO : giveUpAfter, unsent, inFlight, failed, succeeded, last);
        }
    }
}
