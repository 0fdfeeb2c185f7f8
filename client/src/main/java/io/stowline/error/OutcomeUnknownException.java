package io.stowline.error;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Signals a write whose response was lost and whose outcome stays unknown: the library does not guess. {@link #readBackDetail} gives the
 * result of reading back; {@link #getCause} is the end of the last attempt, if there was one.
 *
 * <p>Until the horizon of the last attempt, its server-side time limit and a little more, the write may still be carried out. The page
 * {@code docs/writes-and-outcomes.md} describes what to do: as a rule read the entity and decide, or repeat the write where doing it twice
 * does no harm.
 */
public final class OutcomeUnknownException extends StorageException {

    private static final long serialVersionUID = 1L;

    private final String readBackDetail;

    /** True if a later read-back may decide. */
    private final boolean mayBecomeKnown;

    /**
     * Creates the exception from its facts.
     *
     * @param failure the facts
     * @param seen what was found out about it
     * @param cause what the last attempt ended with, or {@code null}
     */
    public OutcomeUnknownException(FailureDetails failure, String seen, @Nullable Throwable cause) {
        this(failure, seen, cause, false);
    }

    /**
     * Creates the exception from its facts.
     *
     * @param failure the facts
     * @param seen what was found out about it
     * @param cause what the last attempt ended with, or {@code null}
     * @param mayBecomeKnown whether a later read-back may decide
     */
    public OutcomeUnknownException(
            FailureDetails failure, String seen, @Nullable Throwable cause, boolean mayBecomeKnown) {
        super("outcome unknown: " + failure.describe() + "; " + Objects.requireNonNull(seen, "seen"), failure, cause);
        this.readBackDetail = seen;
        this.mayBecomeKnown = mayBecomeKnown;
    }

    /**
     * Returns the result of reading back.
     *
     * @return a sentence, such as that another entity is there now
     */
    public String readBackDetail() {
        return readBackDetail;
    }

    /**
     * Returns whether a later read of the store may show what became of the write: reading back failed, or the time for it ended first. If
     * not, what stands there proves nothing, and reading again does not help.
     *
     * @return whether looking again may help
     */
    public boolean mayBecomeKnown() {
        return mayBecomeKnown;
    }
}
