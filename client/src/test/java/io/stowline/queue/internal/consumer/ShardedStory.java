package io.stowline.queue.internal.consumer;

import io.stowline.queue.internal.consumer.ConsumerCounters.StopCounts;
import io.stowline.queue.internal.consumer.SimulatedChannel.Fault;
import io.stowline.queue.internal.consumer.handler.MessageHandling;
import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
import io.stowline.queue.internal.shard.ShardLayout;
import io.stowline.queue.internal.shard.ShardedChannel;
import io.stowline.retry.Backoff;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * One seed's story: processes that send to shards and consume them grow from 2 shards to 8 and shrink back, one process after the other, while
 * processes crash and the network loses and delays. Processes of both settings run side by side.
 */
final class ShardedStory {

    private static final Duration STEP = Duration.ofMillis(250);
    private static final int STEPS_OF_A_PHASE = 160;
    private static final int SHARDS = 8;

    /** The settings of the deployments, one after the other: receiving grows first, sending shrinks first. */
    private static final List<ShardLayout> DEPLOYMENTS =
            List.of(layout(2, 2), layout(2, SHARDS), layout(SHARDS, SHARDS), layout(2, SHARDS), layout(2, 2));

    private final Random random;
    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final List<SimulatedQueue> queues = IntStream.range(0, SHARDS)
            .mapToObj(i -> new SimulatedQueue(time, "orders-" + i, "s" + i + "m"))
            .toList();
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final List<String> sent = new ArrayList<>();
    private final Set<String> handled = new HashSet<>();
    private final Set<String> unlucky = new HashSet<>();
    private final List<String> violations = new ArrayList<>();
    private final Deque<String> trace = new ArrayDeque<>();
    private final ConsumerSettings settings;
    private final boolean mayCrash;
    private int faultPercent;
    private ShardLayout deployed = DEPLOYMENTS.get(0);
    private long started;

    ShardedStory(long seed) {
        random = new Random(seed);
        mayCrash = random.nextInt(3) > 0;
        faultPercent = List.of(0, 2, 10, 25).get(random.nextInt(4));
        settings = new ConsumerSettings(
                1 + random.nextInt(12),
                random.nextInt(4) == 0 ? 1 + random.nextInt(8) : 1,
                Duration.ofSeconds(10 + random.nextInt(3) * 10L),
                Duration.ofMinutes(1 + random.nextInt(10)),
                5,
                Backoff.interactive(),
                random.nextBoolean() ? Duration.ofSeconds(20) : null,
                Duration.ofMillis(100),
                Duration.ofMillis(9_500),
                Duration.ofSeconds(20));
        queues.forEach(queue -> queue.skew(() -> random.nextInt(1_000)));
    }

    private static ShardLayout layout(int sendTo, int receiveFrom) {
        return new ShardLayout("orders", sendTo, receiveFrom);
    }

    /** One process: it sends by its layout, and has a consumer of all shards that it receives from. */
    private final class SimulatedProcess {
        private final MortalScheduler clock = new MortalScheduler(time);
        private final ShardLayout layout = deployed;
        private final List<SimulatedChannel> channels;
        private final ConsumerEngine engine;
        private final List<Call> calls = new ArrayList<>();
        private int turn = random.nextInt(SHARDS);
        private boolean stopping;
        private @Nullable StopCounts report;

        SimulatedProcess() {
            channels = queues.stream()
                    .limit(layout.receiveFrom())
                    .map(queue -> new SimulatedChannel(queue, time, clock))
                    .toList();
            channels.forEach(channel -> {
                channel.faults(request -> fault());
                channel.latency(() -> Duration.ofMillis(random.nextInt(50) == 0 ? 3_000 : 1 + random.nextInt(30)));
            });
            engine = new ConsumerEngine(
                    settings,
                    new ShardedChannel(layout.name(), List.copyOf(channels)),
                    Call::new,
                    new ConsumerEnvironment(
                            clock,
                            random,
                            Runnable::run,
                            null,
                            new DeliveryHistories(clock),
                            Mono::just,
                            (message, event, result, error) -> note(result + " " + message.id())));
            engine.start();
        }

        boolean isUp() {
            return !stopping && !clock.isDead();
        }

        /** A handler that runs for a while, and then succeeds or fails. */
        private final class Call implements MessageHandling.HandlerCall {
            private final List<LeaseKeeper> messages;
            private final MessageHandling.Progress progress;
            private boolean over;

            Call(List<LeaseKeeper> messages, MessageHandling.Progress progress) {
                this.messages = messages;
                this.progress = progress;
                calls.add(this);
                started++;
                note("start " + messages.stream().map(LeaseKeeper::id).toList());
                progress.began();
                long millis = random.nextInt(20) == 0 ? random.nextInt(60_000) : random.nextInt(800);
                clock.schedule(this::finish, millis, TimeUnit.MILLISECONDS);
            }

            private void finish() {
                boolean fails = messages.stream().anyMatch(message -> unlucky.contains(message.id()))
                        || random.nextInt(20) == 0;
                if (!over && !fails) {
                    messages.stream().map(LeaseKeeper::id).forEach(handled::add);
                }
                end(fails ? new IllegalStateException("handler") : null);
            }

            private void end(@Nullable Throwable error) {
                if (!over) {
                    over = true;
                    progress.ended(error);
                }
            }

            @Override
            public void cancel() {
                if (random.nextInt(3) > 0) {
                    clock.schedule(() -> end(new InterruptedException()), random.nextInt(3_000), TimeUnit.MILLISECONDS);
                }
            }
        }

        void stop() {
            stopping = true;
            engine.stop(Duration.ofMillis(500 + random.nextInt(15_000))).subscribe(counts -> report = counts);
        }

        /** Sends by a key or in turn, as a sharded queue does. */
        void send() {
            boolean keyed = random.nextBoolean();
            int shard = keyed ? layout.shardOf("key " + random.nextInt(50)) : turn++ % layout.sendTo();
            String id = queues.get(shard).send("body");
            sent.add(id);
            if (random.nextInt(25) == 0) {
                unlucky.add(id);
            }
            engine.wake(queues.get(shard).name());
        }
    }

    private Fault fault() {
        return random.nextInt(100) >= faultPercent
                ? Fault.NONE
                : List.of(Fault.BUSY, Fault.LOST_REQUEST, Fault.LOST_RESPONSE).get(random.nextInt(3));
    }

    private long now() {
        return time.now(TimeUnit.MILLISECONDS);
    }

    private void note(String event) {
        trace.add(now() + " " + event);
        if (trace.size() > 200) {
            trace.remove();
        }
    }

    ShardedStory play() {
        for (int i = 0; i < 2 + random.nextInt(3); i++) {
            processes.add(new SimulatedProcess());
        }
        for (ShardLayout next : DEPLOYMENTS) {
            if (next.receiveFrom() < deployed.receiveFrom()) {
                drain(next);
            }
            deploy(next);
        }
        finish();
        return this;
    }

    /** The processes restart with the new settings one after the other, while all of them work. */
    private void deploy(ShardLayout next) {
        note("deploy " + next);
        deployed = next;
        for (int step = 0; step < STEPS_OF_A_PHASE; step++) {
            act();
        }
        while (processes.stream().anyMatch(this::isOutdated)) {
            processes.stream().filter(this::isOutdated).findFirst().ifPresent(this::restart);
            act();
        }
    }

    private boolean isOutdated(SimulatedProcess process) {
        return process.isUp() && !process.layout.equals(deployed);
    }

    /** The shards that are no longer received from must be empty before, as their counts show. */
    private void drain(ShardLayout next) {
        long deadline = now() + Duration.ofMinutes(60).toMillis();
        while (left(next.receiveFrom()) > 0 && now() < deadline) {
            act();
        }
        if (left(next.receiveFrom()) > 0) {
            violation(left(next.receiveFrom()) + " messages are left in shards that go");
        }
    }

    private int left(int from) {
        return queues.stream().skip(from).mapToInt(SimulatedQueue::size).sum();
    }

    private void act() {
        List<SimulatedProcess> up =
                processes.stream().filter(SimulatedProcess::isUp).toList();
        SimulatedProcess one = up.get(random.nextInt(up.size()));
        if (random.nextInt(3) == 0) {
            one.send();
        }
        switch (random.nextInt(100)) {
            case 0 -> crash(one);
            case 1, 2 -> restart(one);
            case 3 -> one.clock.stall(Duration.ofMillis(random.nextInt(45_000)).toNanos());
            case 4 -> one.engine.pause();
            case 5, 6, 7 -> up.forEach(process -> process.engine.resume());
            case 8 -> one.engine.concurrency(1 + random.nextInt(12));
            default -> {}
        }
        time.advanceTimeBy(STEP);
        check();
    }

    private void crash(SimulatedProcess one) {
        if (mayCrash) {
            note("crash");
            one.clock.kill();
            processes.remove(one);
            processes.add(new SimulatedProcess());
        }
    }

    private void restart(SimulatedProcess one) {
        note("restart");
        one.stop();
        processes.add(new SimulatedProcess());
    }

    private void check() {
        Map<String, Integer> owners = new HashMap<>();
        for (SimulatedProcess process : List.copyOf(processes)) {
            process.calls.removeIf(call -> call.over);
            Set<String> running = new HashSet<>();
            for (SimulatedProcess.Call call : process.calls) {
                for (LeaseKeeper message : call.messages) {
                    if (!running.add(message.id())) {
                        violation("a process runs two handlers for " + message.id());
                    }
                    if (!message.remaining().isZero()) {
                        owners.merge(message.id(), 1, Integer::sum);
                    }
                }
            }
            if (process.report != null) {
                processes.remove(process);
            }
        }
        owners.forEach((id, count) -> {
            if (count > 1) {
                violation(id + " has " + count + " owners that believe in their lease");
            }
        });
    }

    private void violation(String text) {
        violations.add(now() + " " + text);
    }

    /** The faults end: each message is handled or poison, and all shards are empty. */
    private void finish() {
        faultPercent = 0;
        for (SimulatedProcess process : processes) {
            process.channels.forEach(channel -> channel.latency(() -> Duration.ofMillis(5)));
            process.engine.resume();
        }
        for (int step = 0; step < 9_600 && left(0) > 0; step++) {
            time.advanceTimeBy(STEP);
            check();
        }
        if (left(0) > 0) {
            violation(left(0) + " messages are left");
        }
        Set<String> poison = new HashSet<>();
        queues.forEach(queue -> poison.addAll(queue.poison()));
        for (String id : sent) {
            if (!handled.contains(id) && !poison.contains(id)) {
                violation(id + " was neither handled nor copied to the poison queue");
            }
        }
        checkRest();
        checkNextMessages();
    }

    /** No message is in hand at rest, and each shard has few polls; removed shards have none. */
    private void checkRest() {
        time.advanceTimeBy(Duration.ofMinutes(2));
        int[] before = queues.stream().mapToInt(SimulatedQueue::receives).toArray();
        time.advanceTimeBy(Duration.ofMinutes(1));
        long consumers = processes.stream().filter(SimulatedProcess::isUp).count();
        for (int i = 0; i < SHARDS; i++) {
            int polls = queues.get(i).receives() - before[i];
            if (polls > (i < deployed.receiveFrom() ? 8 * consumers : 0)) {
                violation(polls + " idle polls of shard " + i + " in a minute by " + consumers + " consumers");
            }
        }
        for (SimulatedProcess process : processes) {
            if (process.engine.counters().inHand() > 0 && process.isUp()) {
                violation("a consumer at rest holds messages");
            }
        }
    }

    /** The next message of each shard is handled within 10 s, and a woken consumer takes it at once. */
    private void checkNextMessages() {
        for (int shard = 0; shard < deployed.receiveFrom(); shard++) {
            long before = started;
            queues.get(shard).send("body");
            time.advanceTimeBy(Duration.ofSeconds(10));
            if (started == before) {
                violation("a message in shard " + shard + " has waited for 10 s");
            }
            time.advanceTimeBy(Duration.ofMinutes(2));
            before = started;
            queues.get(shard).send("body");
            processes.get(processes.size() - 1).engine.wake(queues.get(shard).name());
            time.advanceTimeBy(Duration.ofMillis(50));
            if (started == before) {
                violation("a woken consumer has not polled shard " + shard);
            }
        }
    }

    List<String> violations() {
        return violations;
    }

    String tail() {
        return String.join("\n", trace);
    }

    long handlings() {
        return started;
    }

    int messages() {
        return sent.size();
    }
}
