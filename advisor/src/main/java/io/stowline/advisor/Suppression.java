package io.stowline.advisor;

import java.time.LocalDate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A suppression of the findings of one practice, which reports show as suppressed. Immutable.
 *
 * @param reason the reason, for readers of the report
 * @param until the last day on which it holds, in UTC; {@code null} for no end
 */
public record Suppression(String reason, @Nullable LocalDate until) {

    /**
     * Checks the reason.
     *
     * @param reason the reason
     * @param until the last day on which it holds, or {@code null}
     * @throws IllegalArgumentException if the reason is blank
     */
    public Suppression {
        Objects.requireNonNull(reason, "reason");
        if (reason.isBlank()) {
            throw new IllegalArgumentException(
                    "the reason of a suppression is blank: name why the finding is accepted");
        }
    }

    /**
     * Returns whether it holds on a day.
     *
     * @param day the day in UTC
     * @return whether its end has not passed
     */
    public boolean holdsOn(LocalDate day) {
        return until == null || !day.isAfter(until);
    }
}
