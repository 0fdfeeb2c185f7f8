package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.benchmarks.correctness.Ledger;
import io.stowline.benchmarks.correctness.script.Weather;
import io.stowline.benchmarks.correctness.subject.Client;
import io.stowline.benchmarks.correctness.verdict.Page;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The results of callers under faults, held against what the service did. The system properties {@code ledger.seeds} and {@code
 * ledger.from} choose how many seeds and which.
 */
class LedgerIT {

    private static final int SEEDS = Integer.getInteger("ledger.seeds", 5);
    private static final long FROM = Long.getLong("ledger.from", 1);
    private static final int RARELY = 20;

    @Test
    @DisplayName(
            "OUTCOME-0, OUTCOME-1, OUTCOME-2, OUTCOME-3, OUTCOME-4, OUTCOME-6, OUTCOME-7, OUTCOME-8, OUTCOME-9, BATCH-1, BATCH-4, BATCH-5: no answer is wrong")
    void noAnswerIsWrong() throws InterruptedException {
        List<Page> pages;
        try (Ledger ledger = new Ledger(Weather.WIDE)) {
            pages = ledger.run(Client.STOWLINE, FROM, SEEDS, System.out::println);
        }

        assertThat(pages).hasSize(SEEDS).allSatisfy(page -> assertThat(page.violations())
                .as("wrong answers of seed %d", page.seed())
                .isEmpty());
        assertThat(pages.stream().mapToInt(Page::beyond).sum())
                .as("operations that the emulator carried out later than it may")
                .isLessThan(pages.stream().mapToInt(Page::operations).sum() / RARELY);
    }
}
