package io.stowline.batching;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The failures whose results nobody took: the first with their items, all of them counted; under the engine's lock. */
final class Untaken<R> {

    private static final int MOST = 1_000;

    private final Map<Submission<R>, UncollectedFailuresException.Failure> first = new LinkedHashMap<>();
    private final Map<Class<?>, Long> kinds = new HashMap<>();

    void add(Submission<R> submission, Object item, Throwable cause) {
        submission.untaken = cause;
        kinds.merge(cause.getClass(), 1L, Long::sum);
        if (first.size() < MOST) {
            first.put(submission, new UncollectedFailuresException.Failure(item, cause));
        }
    }

    void remove(Submission<R> submission) {
        Throwable cause = submission.untaken;
        if (cause == null) {
            return;
        }
        submission.untaken = null;
        first.remove(submission);
        kinds.computeIfPresent(cause.getClass(), (kind, count) -> count == 1 ? null : count - 1);
    }

    @Nullable
    UncollectedFailuresException report() {
        if (kinds.isEmpty()) {
            return null;
        }
        List<UncollectedFailuresException.Failure> failures = new ArrayList<>(first.values());
        return new UncollectedFailuresException(failures, kinds);
    }
}
