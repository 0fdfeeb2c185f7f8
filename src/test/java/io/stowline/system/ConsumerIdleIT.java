package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RecordedExchange;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The cost of an idle consumer on the wire. {@code ConsumerPollingTest} shows the same in simulated time. */
@Timeout(240)
class ConsumerIdleIT extends StorageTest {

    private static final Duration GUARD = Duration.ofMinutes(2);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Polls until the waits have doubled up to their limit. */
    private static final int FIRST_POLLS = 9;

    /** The delay of a poll on a busy machine. */
    private static final Duration SLACK = Duration.ofSeconds(5);

    @Test
    @Tag("soak")
    @DisplayName(
            "QUEUE-4: on the wire an idle consumer polls at most 8 times a minute, and finds the message of another"
                    + " client within 10 s")
    void idles() throws Exception {
        String name = "i" + UUID.randomUUID().toString().substring(0, 30);
        MessageQueue<String> queue = storage.queue(name);
        queue.create();
        CountDownLatch polled = new CountDownLatch(FIRST_POLLS + 8);
        CountDownLatch handled = new CountDownLatch(1);
        FaultRule polls = proxy().when(requests()
                        .method("GET")
                        .path("/**/" + name + "/messages")
                        .when("is counted", request -> {
                            polled.countDown();
                            return true;
                        }))
                .delayBefore(Duration.ZERO);
        try (Stowline other = client(connectionString());
                QueueConsumer consumer = queue.consume(m -> handled.countDown()).start()) {
            assertThat(polled.await(GUARD.toSeconds(), TimeUnit.SECONDS)).isTrue();
            long sent = System.nanoTime();
            other.queue(name).send("first");
            assertThat(handled.await(GUARD.toSeconds(), TimeUnit.SECONDS)).isTrue();

            assertThat(Duration.ofNanos(System.nanoTime() - sent))
                    .isLessThan(Duration.ofSeconds(10).plus(SLACK));
            List<Duration> times = proxy().recorded(requests().method("GET").path("/**/" + name + "/messages")).stream()
                    .map(RecordedExchange::arrived)
                    .toList();
            assertThat(times.get(FIRST_POLLS + 7).minus(times.get(FIRST_POLLS - 1)))
                    .as("the time of eight polls")
                    .isGreaterThanOrEqualTo(MINUTE);
            assertThat(consumer.stats().completed()).isLessThanOrEqualTo(1);
        } finally {
            polls.remove();
            queue.dropIfExists();
        }
    }
}
