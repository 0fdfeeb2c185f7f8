package io.stowline.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.Stowline;
import io.stowline.error.ClosedException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.retry.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class QueueConsumerBuilderTest {

    private static final Stowline CLIENT =
            Stowline.connect("AccountName=acct;AccountKey=a2V5;QueueEndpoint=http://127.0.0.1:2/acct");

    @AfterAll
    static void close() {
        CLIENT.close();
    }

    private static void refused(Consumer<QueueConsumer.Builder> setting, String... parts) {
        QueueConsumer.Builder builder = CLIENT.queue("orders").consume(message -> {});
        assertThatIllegalArgumentException()
                .isThrownBy(() -> setting.accept(builder))
                .withMessageContainingAll(parts);
    }

    @Test
    @DisplayName("QUEUE-1: a setting out of range is refused with its value and the limit")
    void limits() {
        refused(b -> b.concurrency(0), "concurrency", "1 to 1000", "0");
        refused(b -> b.concurrency(1_001), "1001");
        refused(b -> b.lease(Duration.ofSeconds(9)), "lease", "PT10S", "PT9S");
        refused(b -> b.lease(Duration.ofDays(8)), "lease", "PT168H", "PT192H");
        refused(b -> b.maxHold(Duration.ofSeconds(9)), "maxHold", "PT10S");
        refused(b -> b.poisonAfter(0), "poisonAfter", "1 to 1000");
        refused(b -> b.handlerTimeout(Duration.ZERO), "handlerTimeout", "PT0.001S");
        refused(b -> b.pollDelay(Duration.ofMillis(9), Duration.ofSeconds(1)), "min", "PT0.01S");
        refused(b -> b.pollDelay(Duration.ofSeconds(2), Duration.ofSeconds(1)), "max", "PT2S", "PT1S");
        refused(b -> b.pollDelay(Duration.ofSeconds(2), Duration.ofMinutes(11)), "max", "PT10M");
        refused(b -> b.stopTimeout(Duration.ofDays(2)), "stopTimeout", "PT24H");
        refused(b -> b.executor(Runnable::run).start(), "executor", "caller's thread");
        refused(b -> b.retryDelay(Backoff.fixed(Duration.ofDays(8))).start(), "retryDelay", "PT168H", "PT192H");
        refused(
                b -> b.lease(Duration.ofMinutes(2))
                        .maxHold(Duration.ofMinutes(1))
                        .start(),
                "maxHold",
                "PT1M",
                "PT2M");
    }

    @Test
    @DisplayName("QUEUE-3: a queue with the longest name has a poison queue of its own")
    void longName() {
        String hyphen = "a".repeat(46) + "-bcdefghijklmnop";
        assertThat(poisonOf("a".repeat(56))).isEqualTo("a".repeat(56) + "-poison");
        assertThat(poisonOf("a".repeat(57))).isEqualTo("a".repeat(47) + "-50736241-poison");
        assertThat(poisonOf("a".repeat(62) + "b")).isNotEqualTo(poisonOf("a".repeat(63)));
        assertThat(poisonOf(hyphen)).startsWith("a".repeat(46) + "-").doesNotContain("--");
        for (String name : List.of("a".repeat(57), "a".repeat(63), hyphen)) {
            assertThat(poisonOf(name)).hasSizeLessThanOrEqualTo(63).endsWith("-poison");
            CLIENT.queue(name).consume(message -> {}).start().close();
        }
        assertThat(CLIENT.shardedQueue("a".repeat(60), String.class, o -> o.sendTo(4))
                        .poison()
                        .name())
                .hasSize(63);
    }

    private static String poisonOf(String name) {
        return CLIENT.queue(name).poison().name();
    }

    @Test
    @DisplayName("QUEUE-5: a closed client starts no consumer, and a consumer of it stops again and again")
    void closed() throws Exception {
        Stowline client = Stowline.connect("AccountName=acct;AccountKey=a2V5;QueueEndpoint=http://127.0.0.1:2/acct");
        QueueConsumer.Builder builder = client.queue("orders").consume(message -> {});
        QueueConsumer consumer = builder.start();
        client.close();

        assertThatExceptionOfType(ClosedException.class).isThrownBy(builder::start);
        assertThat(consumer.stop(Duration.ofSeconds(30))).isEqualTo(new QueueConsumer.StopReport(0, 0, 0, 0));
        consumer.close();
    }

    @Test
    @DisplayName("QUEUE-5: an interrupted stop goes on, and does not speak of writes")
    void interrupted() {
        QueueConsumer consumer = CLIENT.queue("orders").consume(message -> {}).start();
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(StorageInterruptedException.class)
                .isThrownBy(consumer::close)
                .withMessageContaining("the stop goes on")
                .withMessageNotContaining("applied");
        assertThat(Thread.interrupted()).isTrue();

        assertThat(consumer.stop(Duration.ofSeconds(30))).isEqualTo(new QueueConsumer.StopReport(0, 0, 0, 0));
    }

    @Test
    @DisplayName("QUEUE-4: a batch has 1 to 32 messages")
    void batchSizes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CLIENT.queue("orders").consumeBatches(33, batch -> {}))
                .withMessage("size is 1 to 32, not 33");
    }
}
