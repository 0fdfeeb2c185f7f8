package io.stowline.error;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A write whose answer was lost, and nobody can tell whether it was carried out: nothing is guessed. {@link #seen} says what was found
 * out; {@link #getCause} is the end of the last attempt, if there was one.
 *
 * <p>Until the horizon of the last attempt, its server-side time limit and a little more, the write may still be carried out. What to
 * do is told in {@code docs/outcomes.md}: as a rule read the entity and decide, or repeat the write where doing it twice does no harm.
 */
public final class OutcomeUnknownException extends StorageException {

    private static final long serialVersionUID = 1L;

    /** What was found out. */
    private final String seen;

    /**
     * Makes the exception from its facts.
     *
     * @param failure the facts
     * @param seen what was found out about it
     * @param cause what the last attempt ended with, or {@code null}
     */
    public OutcomeUnknownException(Failure failure, String seen, @Nullable Throwable cause) {
        super("outcome unknown: " + failure.describe() + "; " + Objects.requireNonNull(seen, "seen"), failure, cause);
        this.seen = seen;
    }

    /**
     * What was found out.
     *
     * @return a sentence, such as that another entity is there now
     */
    public String seen() {
        return seen;
    }
}
