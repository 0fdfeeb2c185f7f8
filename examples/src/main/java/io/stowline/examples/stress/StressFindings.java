package io.stowline.examples.stress;

import io.stowline.testkit.stress.StressReport;
import io.stowline.testkit.stress.StressStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The limits of the service, and the conduct of the client.
 *
 * @param report the steps of the test
 * @param conduct what the client did about the refusals
 * @param paced the step with the client's rate targets, if a limit was found
 */
record StressFindings(
        StressReport report, String conduct, @Nullable StressStep paced) {

    /** The share of a partition's limit that the client is given as its rate target. */
    static final double PACE = 0.8;

    /** Returns the meaning of the findings, in sentences. */
    List<String> verdict() {
        List<String> lines = new ArrayList<>(report.verdict());
        lines.add(conduct);
        if (paced != null) {
            lines.add(String.format(
                    Locale.ROOT,
                    "With rate targets of %,.0f/s for a partition it took %,.0f of %,.0f entities/s, and the service"
                            + " refused %,.1f/s.",
                    PACE * report.partitionLimit().rate(),
                    paced.accepted(),
                    paced.offered(),
                    paced.throttled()));
        }
        return lines;
    }
}
