package io.stowline.queue.internal.consumer;

import io.stowline.queue.QueueConsumer.StopReport;
import io.stowline.queue.internal.shard.ShardLayout;
import io.stowline.queue.internal.shard.ShardedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One seed's story: processes that send to shards and consume them grow from 2 shards to 8 and shrink back, one process after the other, while
 * processes crash and the network loses and delays. Processes of both settings run side by side.
 */
final class ShardedStory extends SimulatedStory {

    private static final int STEPS_OF_A_PHASE = 160;
    private static final int SHARDS = 8;

    /** The settings of the deployments, one after the other: receiving grows first, sending shrinks first. */
    private static final List<ShardLayout> DEPLOYMENTS =
            List.of(layout(2, 2), layout(2, SHARDS), layout(SHARDS, SHARDS), layout(2, SHARDS), layout(2, 2));

    private final List<SimulatedQueue> queues = IntStream.range(0, SHARDS)
            .mapToObj(i -> new SimulatedQueue(time, "orders-" + i, "s" + i + "m"))
            .toList();
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private ShardLayout deployed = DEPLOYMENTS.get(0);

    ShardedStory(long seed) {
        super(seed, 12);
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
        private final List<SimulatedCall> calls = new ArrayList<>();
        private final ConsumerEngine engine;
        private int turn = random.nextInt(SHARDS);
        private boolean stopping;
        private @Nullable StopReport report;

        SimulatedProcess() {
            channels = queues.stream()
                    .limit(layout.receiveFrom())
                    .map(queue -> channel(queue, clock))
                    .toList();
            engine = engine(new ShardedChannel(layout.name(), List.copyOf(channels)), clock, calls, null);
        }

        boolean isUp() {
            return !stopping && !clock.isDead();
        }

        void stop() {
            stopping = true;
            engine.stop(Duration.ofMillis(500 + random.nextInt(15_000))).subscribe(counts -> report = counts);
        }

        /** Sends by a key or in turn, as a sharded queue does. */
        void send() {
            boolean keyed = random.nextBoolean();
            int shard = keyed ? layout.shardOf("key " + random.nextInt(50)) : turn++ % layout.sendTo();
            sent(queues.get(shard).send("body"));
            engine.wake(queues.get(shard).name());
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
        checkOwners(processes.stream().map(process -> process.calls).toList());
        processes.removeIf(process -> process.report != null);
    }

    /** The faults end: each message is handled or poison, and all shards are empty. */
    private void finish() {
        endFaults();
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
        checkHandled(poison);
        checkRest();
        for (SimulatedQueue queue : queues.subList(0, deployed.receiveFrom())) {
            checkNextMessage(queue, () -> "body", processes.get(processes.size() - 1).engine);
        }
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
}
