package io.stowline.queue.internal.consumer.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.queue.internal.QueueBench;
import io.stowline.queue.internal.consumer.channel.QueueChannel;
import io.stowline.queue.internal.consumer.lease.LeaseWatcher.LeaseEnding;
import io.stowline.transport.internal.concurrent.SerialExecutor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class GatewayRenewalTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final QueueBench bench = new QueueBench();
    private final List<String> lost = new ArrayList<>();

    private LeaseKeeper keeper() {
        MessageHeader header = new MessageHeader(
                "orders", "id-1", 1, Instant.parse("2024-02-29T12:00:00Z"), Instant.parse("2024-03-07T12:00:00Z"));
        return new LeaseKeeper(
                new KeeperEnvironment(
                        new QueueChannel(bench.client(), bench.client("orders-poison"), bench.timer()),
                        null,
                        new SerialExecutor(),
                        bench.timer(),
                        new Random(1),
                        Runnable::run,
                        LEASE,
                        Duration.ofHours(1)),
                new Watcher(),
                new DeliveredMessage(new MessageView(header, "body"), bench.lease("r-1", LEASE)));
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 404, 409, 412})
    @DisplayName("WORLD-4: a renewal that a gateway's page responds to is repeated, and loses no message")
    void repeated(int status) {
        for (int i = 0; i < 3; i++) {
            bench.wire().respondsAsGateway(status, "<html></html>", "Content-Type", "text/html");
        }
        bench.wire()
                .responds(
                        204,
                        "",
                        "x-ms-popreceipt",
                        QueueBench.RECEIPT,
                        "x-ms-time-next-visible",
                        "Thu, 29 Feb 2024 12:01:00 GMT");
        LeaseKeeper keeper = keeper();
        keeper.onLost(() -> lost.add("lost"));
        keeper.beginLate();
        bench.pass(Duration.ofSeconds(29));

        assertThat(lost).isEmpty();
        assertThat(keeper.isOver()).isFalse();
        assertThat(keeper.remaining()).isGreaterThan(Duration.ofSeconds(10));
        assertThat(bench.wire().sent()).hasSize(4).allSatisfy(request -> assertThat(request.url())
                .contains("/messages/id-1"));
    }

    private final class Watcher implements LeaseWatcher {

        @Override
        public void unstartedTooLong(LeaseKeeper keeper) {
            lost.add("unstarted");
        }

        @Override
        public void lost(LeaseKeeper keeper, String why) {
            lost.add(why);
        }

        @Override
        public void copied(LeaseKeeper keeper, String reason, @Nullable Throwable failure) {}

        @Override
        public void ended(LeaseKeeper keeper, LeaseEnding ending, @Nullable Throwable error) {}

        @Override
        public Duration returnDelay(LeaseKeeper keeper) {
            return Duration.ZERO;
        }

        @Override
        public int failures(LeaseKeeper keeper) {
            return 0;
        }

        @Override
        public long releases(LeaseKeeper keeper) {
            return 0;
        }
    }
}
