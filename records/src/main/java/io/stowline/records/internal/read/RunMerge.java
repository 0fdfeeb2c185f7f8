package io.stowline.records.internal.read;

import io.stowline.records.internal.read.ReadVector.SessionPlace;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The records of several sessions, merged by their time; of equal times that of the earlier session comes first, and each session keeps its
 * order. Used by one thread; closing comes from any.
 */
final class RunMerge<T> implements AutoCloseable {

    private final List<SessionRun<T>> runs;
    private final Optional<Function<? super T, Instant>> timeOf;
    private final PriorityQueue<SessionRun<T>> waiting = new PriorityQueue<>(RunMerge::order);
    private @Nullable SessionRun<T> current;
    private boolean begun;

    /** A merge of runs in the order of their sessions, of which none has begun. */
    RunMerge(List<SessionRun<T>> runs, Optional<Function<? super T, Instant>> timeOf) {
        this.runs = runs;
        this.timeOf = timeOf;
    }

    private static int order(SessionRun<?> one, SessionRun<?> other) {
        int byTime = one.time().compareTo(other.time());
        return byTime != 0 ? byTime : one.session().compareTo(other.session());
    }

    /** Moves to the next record, if there is one. */
    boolean next() {
        SessionRun<T> present = current;
        if (!begun) {
            begin();
        } else if (present != null && moved(present)) {
            SessionRun<T> first = waiting.peek();
            if (first == null || order(present, first) < 0) {
                return true;
            }
            waiting.add(present);
        }
        current = waiting.poll();
        return current != null;
    }

    private void begin() {
        for (SessionRun<T> run : runs) {
            if (moved(run)) {
                waiting.add(run);
            }
        }
        begun = true;
    }

    private boolean moved(SessionRun<T> run) {
        if (!run.next()) {
            return false;
        }
        timeOf.ifPresent(function -> run.time(Objects.requireNonNull(
                function.apply(run.record()), "mergedBy(..) has a function that gave no time of a record")));
        return true;
    }

    /** Returns the session of the present record. */
    SessionRun<T> current() {
        return Objects.requireNonNull(current, "there is no record");
    }

    /**
     * Returns the places of all sessions.
     *
     * @param before whether the present record counts as not read
     */
    Map<String, SessionPlace> places(boolean before) {
        Map<String, SessionPlace> places = new HashMap<>();
        for (SessionRun<T> run : runs) {
            places.put(run.session(), run == current && !before ? run.behind() : run.before());
        }
        return places;
    }

    @Override
    public void close() {
        runs.forEach(SessionRun::close);
    }
}
