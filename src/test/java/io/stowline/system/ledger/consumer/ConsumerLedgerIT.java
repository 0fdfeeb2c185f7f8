package io.stowline.system.ledger.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.system.ledger.subject.Client;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The reports of consumers that lose responses, are closed and are killed, held against what the service did. The system properties {@code
 * consumer.ledger.seeds} and {@code consumer.ledger.from} choose how many seeds and which.
 */
class ConsumerLedgerIT {

    private static final int SEEDS = Integer.getInteger("consumer.ledger.seeds", 2);
    private static final long FROM = Long.getLong("consumer.ledger.from", 1);

    @Test
    @DisplayName("QUEUE-2, QUEUE-3, OUTCOME-7: no report of a consumer is wrong, and no message is lost or poison by"
            + " mistake")
    void noReportIsWrong() throws InterruptedException {
        List<ConsumerPage> pages;
        try (ConsumerLedger ledger = new ConsumerLedger(Duration.ofSeconds(11))) {
            pages = ledger.run(Client.STOWLINE, FROM, SEEDS, System.out::println);
        }

        assertThat(pages).hasSize(SEEDS).allSatisfy(page -> {
            assertThat(page.violations()).as("seed %d", page.seed()).isEmpty();
            assertThat(page.lostResponses()).isPositive();
            assertThat(page.figures().lost()).isZero();
            assertThat(page.figures().poisoned()).isZero();
        });
        assertThat(pages.stream().flatMap(page -> page.ends().keySet().stream()).distinct())
                .contains("client closed", "process killed");
        assertThat(pages.stream().mapToInt(page -> page.figures().inHand()).sum())
                .as("messages that consumers had in hand when they ended")
                .isPositive();
    }
}
