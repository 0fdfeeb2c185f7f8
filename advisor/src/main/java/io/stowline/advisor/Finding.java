package io.stowline.advisor;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The judgement of one practice over one window. Immutable. None of its texts contains a secret, nor a key or the name of a blob unless
 * {@link AdvisorSettings.Builder#showKeys} allows them; they may contain names of accounts, tables, queues and containers, so a page
 * escapes them.
 *
 * @param practice the practice
 * @param severity the judgement
 * @param problem the judgement, in a sentence for each of its gravest problems
 * @param evidence the figures that it stands on
 * @param objects the tables, partitions, queries and queues that it concerns, the gravest first
 * @param mend the change that mends it, in one or two sentences
 * @param code the change as a line of Java, or an empty text where no line mends it
 * @param limits the causes for which the judgement may be wrong
 * @param window the time that the evidence covers
 * @param since the begin of the present severity
 * @param suppression the suppression that holds, or {@code null}
 */
public record Finding(
        Practice practice,
        Severity severity,
        String problem,
        List<Figure> evidence,
        List<String> objects,
        String mend,
        String code,
        String limits,
        Duration window,
        Instant since,
        @Nullable Suppression suppression) {

    /**
     * Copies the lists.
     *
     * @param practice the practice
     * @param severity the judgement
     * @param problem the judgement, in a sentence for each of its gravest problems
     * @param evidence the figures that it stands on
     * @param objects the objects that it concerns
     * @param mend the change that mends it
     * @param code the change as a line of Java, or an empty text
     * @param limits the causes for which the judgement may be wrong
     * @param window the time that the evidence covers
     * @param since the begin of the present severity
     * @param suppression the suppression that holds, or {@code null}
     */
    public Finding {
        Objects.requireNonNull(practice, "practice");
        Objects.requireNonNull(severity, "severity");
        Objects.requireNonNull(problem, "problem");
        evidence = List.copyOf(evidence);
        objects = List.copyOf(objects);
        Objects.requireNonNull(mend, "mend");
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(window, "window");
        Objects.requireNonNull(since, "since");
    }

    /**
     * Returns whether it calls for a change: the practice is broken, and no suppression holds.
     *
     * @return whether it is open
     */
    public boolean isOpen() {
        return severity.isBroken() && suppression == null;
    }

    /**
     * Returns the page of the documentation.
     *
     * @return the address
     */
    public URI link() {
        return practice.link();
    }

    @Override
    public String toString() {
        return severity + " " + practice + " (" + practice.title() + "): " + problem
                + (objects.isEmpty() ? "" : " " + objects) + " " + evidence;
    }
}
