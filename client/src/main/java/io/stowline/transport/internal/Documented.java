package io.stowline.transport.internal;

import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The statuses that the service documents for the success of an operation. Any other one is the answer of something else, such as a
 * gateway's page: whether the operation was carried out is open then (OUTCOME-0). Immutable.
 */
public final class Documented {

    private final Set<Integer> statuses;

    private Documented(Set<Integer> statuses) {
        this.statuses = statuses;
    }

    /**
     * These statuses.
     *
     * @param statuses one or more, each a 2xx
     * @return the statuses
     */
    public static Documented status(Integer... statuses) {
        return new Documented(Set.of(statuses));
    }

    /**
     * What is wrong with an answer.
     *
     * @param status its status
     * @return what is wrong, or {@code null} if it is one of these
     */
    public @Nullable String against(int status) {
        return statuses.contains(status)
                ? null
                : "an answer with the status " + status + ", where the service documents " + new TreeSet<>(statuses);
    }

    /**
     * Reads an answer as it is.
     *
     * @param answer the answer
     * @return the answer, unless its status is another one
     */
    public Reading<Answer> read(Answer answer) {
        String wrong = against(answer.status());
        return wrong == null ? new Reading.Value<>(answer) : new Reading.Unreadable<>(wrong);
    }
}
