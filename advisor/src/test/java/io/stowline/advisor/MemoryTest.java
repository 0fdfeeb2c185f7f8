package io.stowline.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.stowline.observe.AttemptEvent;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("evidence takes less than a megabyte, and no memory for an attempt")
class MemoryTest {

    private static final int MEGABYTE = 1 << 20;
    private static final int PARTITIONS = 1_000_000;

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    @Test
    void ofAMillionPartitionsAndShapes() {
        String[] keys = new String[PARTITIONS];
        String[] shapes = new String[PARTITIONS];
        for (int i = 0; i < PARTITIONS; i++) {
            keys[i] = "customer-" + i + "-with-a-key-of-some-length";
            shapes[i] = "PartitionKey eq ? and property" + i + " ge ?";
        }
        FakeAttempt attempt = FakeAttempt.insert("p", "r").etag("e");
        FakeTraffic warm = new FakeTraffic(Duration.ofMinutes(1), with -> with.showKeys());
        warm.advisor.listener().onAttemptEnd(attempt);
        warm.page("partition", "", 1, 1, false, 1, 1, 1);

        long before = allocated();
        FakeTraffic traffic = new FakeTraffic(Duration.ofMinutes(1), with -> with.showKeys());
        long made = allocated() - before;
        for (int i = 0; i < PARTITIONS; i++) {
            if (i % 1_000 == 0) {
                traffic.pass(Duration.ofMillis(59));
            }
            attempt.at(keys[i], "r");
            traffic.add(attempt);
        }
        long fed = allocated() - before - made;
        for (int i = 0; i < PARTITIONS; i++) {
            traffic.page("partition", shapes[i], 1, 10, false, 1, 1, 100);
        }

        assertThat(made).as("bytes of an empty advisor").isLessThan(MEGABYTE * 3 / 4);
        assertThat(fed)
                .as("bytes of a million attempts, texts of shown keys and of second ends")
                .isLessThan(MEGABYTE / 4);
        assertThat(traffic.advisor.report().rows()).hasSize(54);
    }

    @Test
    void nothingForAnAttempt() {
        FakeTraffic traffic = new FakeTraffic(Duration.ofMinutes(1));
        AttemptEvent attempt = FakeAttempt.find("partition", "row", "etag");
        for (int i = 0; i < 1_000; i++) {
            traffic.add(attempt);
        }

        long before = allocated();
        for (int i = 0; i < 10_000; i++) {
            traffic.add(attempt);
        }

        assertThat(allocated() - before).isLessThan(10_000);
    }

    @Test
    void dropsEventsInsteadOfWaiting() throws InterruptedException {
        FakeTraffic traffic = new FakeTraffic(Duration.ofMinutes(1));
        int threads = 4;
        int each = 20_000;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        CountDownLatch done = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            executor.execute(() -> {
                AttemptEvent attempt = FakeAttempt.find("partition", "row", "etag");
                for (int n = 0; n < each; n++) {
                    traffic.add(attempt);
                }
                done.countDown();
            });
        }
        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        executor.shutdown();

        AdviceReport.Totals totals = traffic.advisor.report().totals();

        assertThat(totals.attempts() + totals.missed()).isEqualTo((long) threads * each);
    }
}
