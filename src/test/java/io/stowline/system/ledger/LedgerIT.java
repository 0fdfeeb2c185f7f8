package io.stowline.system.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.stowline.system.ledger.script.Weather;
import io.stowline.system.ledger.subject.Client;
import io.stowline.system.ledger.verdict.Page;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The results of callers under faults, held against what the service did. The system properties {@code ledger.seeds} and {@code
 * ledger.from} choose how many seeds and which.
 */
class LedgerIT {

    private static final int SEEDS = Integer.getInteger("ledger.seeds", 2);
    private static final long FROM = Long.getLong("ledger.from", 1);
    private static final int RARELY = 20;

    @Test
    @DisplayName("OUTCOME-0, OUTCOME-1, OUTCOME-2, OUTCOME-3, OUTCOME-4, OUTCOME-6, OUTCOME-7, OUTCOME-8, OUTCOME-9: no"
            + " answer is wrong; BATCH-1, BATCH-4, BATCH-5, BATCH-15: nor is one of a writer, whose process may be"
            + " killed")
    void noResponseIsWrong() throws InterruptedException {
        List<Page> pages;
        try (Ledger ledger = new Ledger(Weather.WIDE)) {
            pages = ledger.run(Client.STOWLINE, FROM, SEEDS, System.out::println);
        }

        assertThat(pages).hasSize(SEEDS).allSatisfy(page -> assertThat(page.violations())
                .as("wrong answers of seed %d", page.seed())
                .isEmpty());
        Set<String> played =
                pages.stream().flatMap(page -> page.faults().keySet().stream()).collect(Collectors.toSet());
        assertThat(played).contains("client closed", "lose").anyMatch(fault -> fault.startsWith("gateway"));
        // A slow machine excuses so many operations that the rest proves little; it is no fault of the library.
        assumeThat(pages.stream().mapToInt(Page::beyond).sum())
                .as("operations that this machine carried out later than the contract allows, and that prove nothing")
                .isLessThan(pages.stream().mapToInt(Page::operations).sum() / RARELY);
    }
}
