package io.stowline.queue.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.observe.ConsumerEvent.Result;
import io.stowline.queue.QueueConsumer.StopReport;
import io.stowline.queue.internal.consumer.ConsumerBench.Handled;
import io.stowline.queue.internal.consumer.SimulatedChannel.Fault;
import io.stowline.queue.internal.consumer.lease.KeeperEnvironment;
import io.stowline.queue.internal.shard.ShardedChannel;
import io.stowline.transport.internal.concurrent.SerialExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

class ShardedPollingTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int SHARDS = 8;

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final List<SimulatedQueue> queues = IntStream.range(0, SHARDS)
            .mapToObj(i -> new SimulatedQueue(time, "orders-" + i, i + "-"))
            .toList();
    private final List<SimulatedChannel> channels = queues.stream()
            .map(queue -> new SimulatedChannel(queue, time, time))
            .toList();
    private final List<Handled> handled = new ArrayList<>();

    private ConsumerEngine engine(int concurrency, Duration handling) {
        ConsumerSettings settings = ConsumerBench.settings(concurrency, 1, null);
        ConsumerEngine engine = new ConsumerEngine(
                settings,
                (messages, progress) -> {
                    Handled call = new Handled(messages, progress);
                    handled.add(call);
                    progress.began();
                    if (!handling.isZero()) {
                        time.schedule(call::succeeds, handling.toMillis(), TimeUnit.MILLISECONDS);
                    }
                    return call;
                },
                new ConsumerEnvironment(
                        new KeeperEnvironment(
                                new ShardedChannel("orders", List.copyOf(channels)),
                                null,
                                new SerialExecutor(),
                                time,
                                new Random(1),
                                Runnable::run,
                                settings.lease(),
                                settings.maxHold()),
                        new DeliveryHistories(time),
                        Mono::just,
                        (message, event, end) -> {}));
        engine.start();
        return engine;
    }

    private void send(int shard, int messages) {
        IntStream.range(0, messages).forEach(i -> queues.get(shard).send("body"));
    }

    private void pass(Duration duration) {
        time.advanceTimeBy(duration);
    }

    private int[] receives() {
        return queues.stream().mapToInt(SimulatedQueue::receives).toArray();
    }

    private int left() {
        return queues.stream().mapToInt(SimulatedQueue::size).sum();
    }

    private boolean isStarted(String id) {
        return handled.stream().anyMatch(call -> call.ids().contains(id));
    }

    private Map<String, Long> startedByShard() {
        return handled.stream()
                .map(call -> call.message().header().queue())
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }

    @Test
    @DisplayName("QUEUE-4: an idle consumer polls each shard at most 8 times a minute")
    void idlesCheaply() {
        engine(16, SECOND);
        pass(MINUTE);
        for (int minute = 1; minute <= 60; minute++) {
            int[] before = receives();
            pass(MINUTE);
            int[] after = receives();
            assertThat(IntStream.range(0, SHARDS).map(i -> after[i] - before[i]).boxed())
                    .allSatisfy(polls -> assertThat(polls).isBetween(6, 8));
        }
    }

    @Test
    @DisplayName("QUEUE-4: an idle consumer, even with one slot, has a message in any shard within 10 s")
    void findsTheFirstMessage() {
        engine(1, Duration.ofMillis(10));
        for (int i = 1; i <= 80; i++) {
            pass(Duration.ofSeconds(97).plusMillis(i * 371L));
            send(i % SHARDS, 1);
            pass(Duration.ofSeconds(10));
            assertThat(handled).hasSize(i);
        }
    }

    @Test
    @DisplayName("QUEUE-4: a send in the process wakes the consumer for its shard only")
    void isWoken() {
        ConsumerEngine engine = engine(16, SECOND);
        pass(MINUTE);
        int[] before = receives();
        send(5, 1);
        engine.wake("orders-5");
        engine.wake("others-5");
        pass(Duration.ofMillis(50));

        assertThat(handled).hasSize(1);
        int[] after = receives();
        assertThat(IntStream.range(0, SHARDS).filter(i -> i != 5).allMatch(i -> after[i] <= before[i] + 1))
                .isTrue();
    }

    @Test
    @DisplayName("Q1: a flooded shard does not starve a quiet one")
    void servesTheQuietShard() {
        ConsumerEngine engine = engine(4, Duration.ofMillis(100));
        int rounds = Integer.getInteger("stowline.explore", 1) > 1 ? 100 : 25;
        send(0, rounds * 600);
        for (int i = 0; i < rounds; i++) {
            String id = queues.get(3).send("body");
            // A pause of 9.5 s at most, then two receives of 32 before it, and 10 handlings in 250 ms.
            pass(Duration.ofSeconds(13));
            assertThat(isStarted(id)).as("message %s", id).isTrue();
        }
        assertThat(engine.counters().running()).isEqualTo(4);
        assertThat(handled.size()).isGreaterThan(rounds * 13 * 40 * 9 / 10);
    }

    @Test
    @DisplayName("Q1: flooded shards get equal shares, whatever the speed of their handlers")
    void sharesEqually() {
        for (int shard = 0; shard < SHARDS; shard++) {
            send(shard, 3_000);
        }
        engine(16, Duration.ofMillis(50));
        pass(MINUTE);

        assertThat(handled.size()).isGreaterThan(16 * 20 * 60 * 9 / 10);
        assertThat(startedByShard().values()).hasSize(SHARDS).allSatisfy(count -> assertThat(count)
                .isBetween(handled.size() * 9L / 10 / SHARDS, handled.size() * 11L / 10 / SHARDS));
    }

    @Test
    @DisplayName(
            "Q1: with handlers that take longer than a quarter of the lease nothing is received ahead, and turns are"
                    + " fair")
    void sharesSlowHandlersEqually() {
        for (int shard = 0; shard < SHARDS; shard++) {
            send(shard, 100);
        }
        ConsumerEngine engine = engine(4, Duration.ofSeconds(20));
        for (int i = 0; i < 40; i++) {
            pass(Duration.ofSeconds(20));
            assertThat(engine.counters().inHand()).isLessThanOrEqualTo(4);
        }

        assertThat(startedByShard().values()).hasSize(SHARDS).allSatisfy(count -> assertThat(count)
                .isBetween(17L, 24L));
    }

    @Test
    @DisplayName("Q1: a shard whose polls hang does not stop the others, even with one slot")
    void passesAHangingShard() {
        channels.get(0).faults(request -> request.startsWith("receive") ? Fault.LOST_REQUEST : Fault.NONE);
        send(1, 300);
        engine(1, Duration.ofMillis(100));
        pass(Duration.ofSeconds(45));

        assertThat(handled).hasSize(300);
    }

    @Test
    @DisplayName("Q1: a poll that hangs with all slots gives them to the other shards after a second, once")
    void lendsTheSlotsOfAHangingPoll() {
        ConsumerEngine engine = engine(4, Duration.ZERO);
        pass(MINUTE);
        channels.get(0).latency(() -> Duration.ofSeconds(4));
        send(0, 4);
        engine.wake("orders-0");
        pass(Duration.ofMillis(100));
        for (int shard = 1; shard < SHARDS; shard++) {
            send(shard, 4);
            engine.wake("orders-" + shard);
        }
        pass(Duration.ofMillis(800));
        assertThat(handled).isEmpty();
        pass(Duration.ofMillis(200));
        assertThat(handled).hasSize(4);

        pass(Duration.ofSeconds(10));
        assertThat(handled).hasSize(4);
        assertThat(engine.counters().inHand()).isEqualTo(8);
    }

    @Test
    @DisplayName("QUEUE-4: when all shards are slow, no more than twice the slots is received")
    void receivesLittleFromSlowShards() {
        ConsumerEngine engine = engine(4, Duration.ZERO);
        pass(MINUTE);
        for (int shard = 0; shard < SHARDS; shard++) {
            channels.get(shard).latency(() -> Duration.ofSeconds(2));
            send(shard, 20);
            engine.wake("orders-" + shard);
        }
        pass(Duration.ofSeconds(10));

        assertThat(handled).hasSize(4);
        assertThat(engine.counters().inHand()).isBetween(4, 8);
    }

    @Test
    @DisplayName("Q1: shards that fail are polled more slowly, and are found again when they work")
    void findsAFailingShardAgain() {
        channels.get(0).faults(request -> Fault.BUSY);
        engine(16, Duration.ofMillis(10));
        pass(MINUTE);
        long before = channels.get(0).requests("receive");
        pass(MINUTE);
        assertThat(channels.get(0).requests("receive") - before).isBetween(6L, 8L);

        channels.get(0).faults(request -> Fault.NONE);
        send(0, 200);
        pass(Duration.ofSeconds(12));
        assertThat(handled).hasSize(200);
    }

    @Test
    @DisplayName("QUEUE-4: 8,000 messages in 8 shards with handlers of 10 ms take at most 330 receives")
    void fewRequests() {
        for (int shard = 0; shard < SHARDS; shard++) {
            send(shard, 1_000);
        }
        ConsumerEngine engine = engine(16, Duration.ofMillis(10));
        while (left() > 0) {
            pass(Duration.ofMillis(100));
            assertThat(engine.counters().inHand()).isLessThanOrEqualTo(16 + 64 + 32);
        }

        assertThat(engine.counters().of(Result.COMPLETED)).isEqualTo(8_000);
        assertThat(IntStream.of(receives()).sum()).isLessThanOrEqualTo(330);
    }

    @Test
    @DisplayName(
            "QUEUE-5: a stop is one for all shards: what was not started is visible at once, and the report counts all")
    void stopsAsOne() {
        for (int shard = 0; shard < SHARDS; shard++) {
            send(shard, 10);
        }
        ConsumerEngine engine = engine(16, Duration.ZERO);
        pass(SECOND);
        assertThat(handled).hasSize(16);
        AtomicReference<StopReport> report = new AtomicReference<>();
        engine.stop(Duration.ofSeconds(20)).subscribe(report::set);
        pass(SECOND);
        assertThat(queues.stream().mapToLong(SimulatedQueue::visible).sum()).isEqualTo(64);
        handled.forEach(Handled::succeeds);
        int[] before = receives();
        pass(MINUTE);

        assertThat(report.get()).isEqualTo(new StopReport(16, 0, 0, 0));
        assertThat(receives()).containsExactly(before);
    }

    @Test
    @DisplayName("QUEUE-4: a paused consumer polls no shard, and polls all at once when it is resumed")
    void pauses() {
        ConsumerEngine engine = engine(16, Duration.ofMillis(10));
        pass(MINUTE);
        engine.pause();
        pass(SECOND);
        int[] before = receives();
        for (int shard = 0; shard < SHARDS; shard++) {
            send(shard, 1);
        }
        pass(MINUTE);
        assertThat(receives()).containsExactly(before);
        engine.resume();
        pass(SECOND);

        assertThat(handled).hasSize(SHARDS);
    }

    @Test
    @DisplayName("Q1: the figures are those of all shards; the age of a poll is that of the shard that answers least")
    void countsAll() {
        channels.get(2).faults(request -> Fault.BUSY);
        ConsumerEngine engine = engine(1_000, Duration.ofMinutes(10));
        for (int shard = 0; shard < SHARDS; shard++) {
            send(shard, 50);
        }
        pass(Duration.ofMinutes(3));

        assertThat(engine.counters().pollAge()).isBetween(Duration.ofMinutes(3).minusSeconds(1), Duration.ofMinutes(3));
        assertThat(engine.counters().backlog()).isBetween(300L, 350L);
        assertThat(engine.queue()).isEqualTo("orders");
    }
}
