package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.stowline.ring.StowlineRing;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The published shares of placements that move when a ring changes. */
class RingSharesTest {

    private static final int PLACEMENTS = 10_000;
    /** Six standard deviations. */
    private static final double DEVIATIONS = 6;

    @ParameterizedTest
    @DisplayName("RING-1: docs/ring.md has the placements that move, which are within chance of the ideal")
    @CsvSource(delimiter = '|', textBlock = """
        4 to 5 accounts                       | 1 1 1 1         | 1 1 1 1 1       | 0.2
        9 to 10 accounts                      | 1 1 1 1 1 1 1 1 1 | 1 1 1 1 1 1 1 1 1 1 | 0.1
        4 accounts and one of weight 2        | 1 1 1 1         | 1 1 1 1 2       | 0.33333
        5 to 4 accounts                       | 1 1 1 1 1       | 1 1 1 1         | 0.2
        """)
    void moved(String change, String before, String after, double ideal) throws IOException {
        int moved = 0;
        int busiest;
        try (StowlineRing old = ring(before);
                StowlineRing changed = ring(after)) {
            Map<String, Integer> counts = new HashMap<>();
            for (int i = 0; i < PLACEMENTS; i++) {
                String home = changed.accountOf("placement-" + i);
                counts.merge(home, 1, Integer::sum);
                if (!home.equals(old.accountOf("placement-" + i))) {
                    moved++;
                }
            }
            busiest = counts.entrySet().stream()
                    .mapToInt(count ->
                            (int) Math.round(100.0 * count.getValue() / (PLACEMENTS * share(count.getKey(), changed))))
                    .max()
                    .orElseThrow();
        }

        assertThat((double) moved)
                .isCloseTo(PLACEMENTS * ideal, within(DEVIATIONS * Math.sqrt(PLACEMENTS * ideal * (1 - ideal))));
        assertThat(Files.readString(Project.root().resolve("docs/ring.md")))
                .contains(String.format(
                        Locale.ROOT,
                        "| %s | %,d | %,d | %d %% |",
                        change,
                        moved,
                        Math.round(PLACEMENTS * ideal),
                        busiest));
    }

    private static double share(String name, StowlineRing ring) {
        double sum = 0;
        double own = 0;
        for (var account : ring.accounts()) {
            sum += account.weight();
            own += account.name().equals(name) ? account.weight() : 0;
        }
        return own / sum;
    }

    private static StowlineRing ring(String weights) {
        String[] all = weights.split(" ");
        return StowlineRing.of(r -> {
            for (int i = 0; i < all.length; i++) {
                String account = "account" + i;
                int weight = Integer.parseInt(all[i]);
                r.account(
                        account,
                        client -> client.connectionString(
                                "AccountName=" + account + ";AccountKey=a2V5;EndpointSuffix=core.windows.net"),
                        settings -> settings.weight(weight));
            }
            return r;
        });
    }
}
