package io.stowline.system.ledger.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.system.ledger.copy.CopyStep.CopyVerdict;
import io.stowline.system.ledger.copy.CopyStep.ReportedEnd;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Copies under lost responses, resets, errors, gateways and rivals, held against what is there. The system properties {@code copy.ledger.seeds} and
 * {@code copy.ledger.from} choose how many copies and which.
 */
@Timeout(1_800)
class CopyLedgerIT {

    private static final int SEEDS = Integer.getInteger("copy.ledger.seeds", 600);
    private static final long FROM = Long.getLong("copy.ledger.from", 1);
    private static final int AT_A_TIME = 16;

    @Test
    @DisplayName(
            "COPY-1, COPY-2: the target of a copy is the old one or a whole new one, or the outcome is unknown, and no"
                    + " result is wrong")
    void noResultIsWrong() throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
        Map<ReportedEnd, Integer> ends = new EnumMap<>(ReportedEnd.class);
        List<String> wrong = new ArrayList<>();
        try {
            List<Future<CopyVerdict>> all = new ArrayList<>();
            for (long seed = FROM; seed < FROM + SEEDS; seed++) {
                CopyStep step = new CopyStep(new Random(seed));
                all.add(threads.submit(step::run));
            }
            for (int i = 0; i < all.size(); i++) {
                CopyVerdict verdict = all.get(i).get();
                ends.merge(verdict.end(), 1, Integer::sum);
                if (verdict.wrong() != null) {
                    wrong.add("seed " + (FROM + i) + ": " + verdict.wrong());
                }
            }
        } finally {
            threads.shutdownNow();
        }
        System.out.println(SEEDS + " copies: " + ends + ", wrong: " + wrong.size());

        assertThat(wrong).isEmpty();
        assertThat(ends).containsOnlyKeys(ReportedEnd.values());
    }
}
