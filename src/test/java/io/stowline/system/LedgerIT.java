package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.benchmarks.ledger.Client;
import io.stowline.benchmarks.ledger.Ledger;
import io.stowline.benchmarks.ledger.Page;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What callers are told under faults, held against what the service did. The system properties {@code ledger.seeds} and {@code
 * ledger.from} choose how many seeds and which.
 */
class LedgerIT {

    private static final int SEEDS = Integer.getInteger("ledger.seeds", 20);
    private static final long FROM = Long.getLong("ledger.from", 1);
    private static final int RARELY = 20;

    @Test
    @DisplayName("A0, A1, A2, A3, A4, A6, A7, A8, A9, B1, B4, B5: no answer is wrong")
    void noAnswerIsWrong() throws InterruptedException {
        List<Page> pages;
        try (Ledger ledger = new Ledger()) {
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
