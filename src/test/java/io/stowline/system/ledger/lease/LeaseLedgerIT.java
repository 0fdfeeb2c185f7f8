package io.stowline.system.ledger.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.stowline.system.ledger.script.ReportedResult.Sort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Leases, terms and exclusive creates under faults, held against what the service did. The system properties {@code lease.ledger.seeds}, {@code
 * lease.ledger.from} and {@code lease.ledger.seconds} choose how many seeds, which, and how long each one plays.
 */
@Timeout(1_800)
class LeaseLedgerIT {

    private static final int SEEDS = Integer.getInteger("lease.ledger.seeds", 2);
    private static final long FROM = Long.getLong("lease.ledger.from", 1);
    private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("lease.ledger.seconds", 20));

    /** Most of their time is waiting. */
    private static final int AT_ONCE = 3;

    @Test
    @DisplayName("LEASE-1, LEASE-2, LEASE-3, OUTCOME-0: never two holders, no report is wrong, and no leader is refused"
            + " without a later one")
    void noReportIsWrong() {
        List<LeasePage> pages = new ArrayList<>();
        try (LeaseLedger ledger = new LeaseLedger(TIME)) {
            for (long next = FROM; next < FROM + SEEDS; next += AT_ONCE) {
                List<CompletableFuture<LeasePage>> some = LongStream.range(next, Math.min(next + AT_ONCE, FROM + SEEDS))
                        .mapToObj(seed -> CompletableFuture.supplyAsync(
                                () -> run(ledger, seed), work -> new Thread(work, "lease-seed").start()))
                        .toList();
                some.stream()
                        .map(CompletableFuture::join)
                        .peek(System.out::println)
                        .forEach(pages::add);
            }
        }

        assertThat(pages).hasSize(SEEDS).allSatisfy(page -> assertThat(page.violations())
                .as("wrong reports of seed %d", page.seed())
                .isEmpty());
        assertThat(pages.stream()
                        .mapToInt(page -> page.reports(LeaseKind.ACQUIRE, Sort.DONE))
                        .sum())
                .isPositive();
        // On a slow machine no candidate may come to lead; the rest holds all the same.
        assumeThat(pages.stream().mapToLong(LeasePage::terms).sum()).isPositive();
    }

    private static LeasePage run(LeaseLedger ledger, long seed) {
        try {
            return ledger.run(seed);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
