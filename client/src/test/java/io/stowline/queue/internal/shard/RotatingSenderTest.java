package io.stowline.queue.internal.shard;

import static io.stowline.queue.internal.QueueBench.error;
import static io.stowline.queue.internal.QueueBench.sent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.error.AuthenticationException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.ThrottledException;
import io.stowline.queue.SendResult;
import io.stowline.queue.internal.QueueBench;
import io.stowline.queue.internal.QueueBench.Running;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.table.ObservingRecorder;
import io.stowline.transport.internal.account.Bench;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RotatingSenderTest {

    private static final RetrySettings RETRY = RetrySettings.builder()
            .backoff(Backoff.fixed(Duration.ofSeconds(5)))
            .retries(2)
            .deadline(Duration.ofMinutes(1))
            .build();

    private final QueueBench bench = new QueueBench();
    private RotatingSender sender = sender(3, RETRY);

    private RotatingSender sender(int shards, RetrySettings retry) {
        return sender(bench, shards, retry);
    }

    private static RotatingSender sender(QueueBench bench, int shards, RetrySettings retry) {
        List<QueueOperations> queues = IntStream.range(0, shards)
                .mapToObj(i -> bench.client("orders-" + i).with(retry))
                .toList();
        return new RotatingSender(queues, new ShardRotation(shards, 0, bench.timer()));
    }

    private Running<SendResult> send() {
        return bench.start(sender.send("text", null, null));
    }

    private List<String> queues() {
        return bench.wire().sent().stream()
                .map(request -> request.url().replaceAll(".*/(orders-\\d+)/.*", "$1"))
                .toList();
    }

    @Test
    @DisplayName("Q1: messages without a key go round the shards")
    void goesRound() throws Exception {
        for (int i = 0; i < 5; i++) {
            bench.responds(201, sent("m" + i));
            assertThat(send().value().queue()).isEqualTo("orders-" + i % 3);
        }

        assertThat(queues()).containsExactly("orders-0", "orders-1", "orders-2", "orders-0", "orders-1");
    }

    @Test
    @DisplayName(
            "Q1: a throttled shard delays no message: each goes to another one at once, and the shard is passed over"
                    + " for a second")
    void passesOverAThrottledShard() throws Exception {
        bench.responds(503, error("ServerBusy")).responds(201, sent("1"));
        assertThat(send().value()).satisfies(moved -> {
            assertThat(moved.queue()).isEqualTo("orders-1");
            assertThat(moved.mayHaveRepeated()).isFalse();
        });
        for (int i = 0; i < 4; i++) {
            bench.responds(201, sent("m" + i));
            send().value();
        }
        assertThat(queues()).containsExactly("orders-0", "orders-1", "orders-1", "orders-2", "orders-2", "orders-1");

        bench.pass(Duration.ofSeconds(1));
        for (int i = 0; i < 3; i++) {
            bench.responds(201, sent("n" + i));
            send().value();
        }
        assertThat(queues()).endsWith("orders-2", "orders-0", "orders-1");
    }

    @Test
    @DisplayName("Q1: the others share the messages of a throttled shard")
    void sharesTheLoad() throws Exception {
        sender = sender(4, RETRY);
        bench.responds(503, error("ServerBusy"));
        for (int i = 0; i < 120; i++) {
            bench.responds(201, sent("m" + i));
            send().value();
        }

        for (String shard : List.of("orders-1", "orders-2", "orders-3")) {
            assertThat(queues()).filteredOn(shard::equals).hasSize(40);
        }
    }

    @Test
    @DisplayName("Q1: a message that its shard may have stored is sent to the same shard again, and its result says so")
    void staysAfterALostResponse() throws Exception {
        bench.losesTheResponse().responds(201, sent("1"));
        SendResult again = send().value();

        assertThat(queues()).containsExactly("orders-0", "orders-0");
        assertThat(again.mayHaveRepeated()).isTrue();
    }

    @Test
    @DisplayName("OUTCOME-0: after a lost response later refusals do not make the outcome certain")
    void staysUnknown() {
        bench.losesTheResponse().responds(403, error("AuthorizationFailure"));

        assertThat(send().failure()).isInstanceOf(OutcomeUnknownException.class).satisfies(unknown -> assertThat(
                        unknown.getSuppressed())
                .hasOnlyElementsOfType(AuthenticationException.class)
                .hasSize(1));
        assertThat(queues()).containsExactly("orders-0", "orders-0");
    }

    @Test
    @DisplayName("Q1: a failure that another shard does not heal is not carried there")
    void refusedEverywhere() {
        bench.responds(403, error("AuthorizationFailure"));

        assertThat(send().failure()).isInstanceOf(AuthenticationException.class);
        assertThat(queues()).containsExactly("orders-0");
    }

    @Test
    @DisplayName("Q1: when all shards have refused, a message stays with its shard and is tried again by the settings")
    void allThrottled() throws Exception {
        sender = sender(2, RETRY);
        bench.responds(503, error("ServerBusy"));
        bench.responds(503, error("ServerBusy"));
        Running<SendResult> sending = send();
        bench.responds(201, sent("1"));
        bench.pass(Duration.ofSeconds(5));

        assertThat(sending.value().queue()).isEqualTo("orders-1");
        assertThat(queues()).containsExactly("orders-0", "orders-1", "orders-1");
    }

    @Test
    @DisplayName("RETRY-4: all attempts, on whatever shard, have one deadline")
    void keepsTheDeadline() {
        sender = sender(2, RETRY.toBuilder().deadline(Duration.ofSeconds(8)).build());
        bench.responds(503, error("ServerBusy"))
                .responds(503, error("ServerBusy"))
                .responds(503, error("ServerBusy"));
        Running<SendResult> sending = send();
        bench.pass(Duration.ofSeconds(5));

        assertThat(sending.failure()).isInstanceOf(ThrottledException.class);
        assertThat(queues()).containsExactly("orders-0", "orders-1", "orders-1");
    }

    @Test
    @DisplayName("Q1: without retries, or with one shard, a message is not moved")
    void doesNotMove() {
        sender = sender(3, RETRY.toBuilder().retries(0).build());
        bench.responds(503, error("ServerBusy"));
        assertThat(send().failure()).isInstanceOf(ThrottledException.class);

        sender = sender(1, RETRY.toBuilder().retries(0).build());
        bench.responds(503, error("ServerBusy"));
        assertThat(send().failure()).isInstanceOf(ThrottledException.class);
        assertThat(queues()).containsExactly("orders-0", "orders-0");
    }

    @Test
    @DisplayName("Q1: a message that moves is one operation for a listener, with all its requests")
    void isOneOperation() throws Exception {
        ObservingRecorder recorder = new ObservingRecorder();
        QueueBench observed = new QueueBench(new Bench(timer -> Bench.limits(4, timer), recorder));
        observed.responds(503, error("ServerBusy")).responds(201, sent("1"));
        observed.start(sender(observed, 3, RETRY).send("text", null, null)).value();

        assertThat(recorder.only().operation().name()).isEqualTo("send");
        assertThat(recorder.only().requests()).hasSize(2);
        assertThat(recorder.only().end().error()).isNull();
    }

    @Test
    void refusesATooLongDelayAtOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sender.send("text", Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .withMessageContaining("timeToLive");
    }
}
