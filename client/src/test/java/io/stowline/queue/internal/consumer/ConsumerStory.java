package io.stowline.queue.internal.consumer;

import io.stowline.queue.QueueConsumer.StopReport;
import io.stowline.queue.internal.body.EnvelopeFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One seed's story: processes with a consumer each over one queue, which crash, stall and restart, over a network that loses and delays.
 * After every step it checks that no message has two handlers that both believe in their lease.
 */
final class ConsumerStory extends SimulatedStory {

    private static final int STEPS = 1_200;

    private final SimulatedQueue queue = new SimulatedQueue(time);
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final @Nullable EnvelopeFormat envelopes;

    ConsumerStory(long seed) {
        super(seed, 8);
        envelopes = seed % 2 == 0 ? null : EnvelopedText.FORMAT;
        queue.skew(() -> random.nextInt(1_000));
    }

    /** One process. */
    private final class SimulatedProcess {
        private final MortalScheduler clock = new MortalScheduler(time);
        private final SimulatedChannel channel = channel(queue, clock);
        private final List<SimulatedCall> calls = new ArrayList<>();
        private final ConsumerEngine engine = engine(channel, clock, calls, envelopes);
        private boolean stopping;
        private @Nullable StopReport report;
        private long stopDeadline;

        void stop() {
            stopping = true;
            Duration atMost = Duration.ofMillis(500 + random.nextInt(15_000));
            stopDeadline = now() + atMost.toMillis();
            engine.stop(atMost).subscribe(counts -> report = counts);
        }
    }

    ConsumerStory play() {
        for (int i = 0; i < 2 + random.nextInt(3); i++) {
            processes.add(new SimulatedProcess());
        }
        for (int step = 0; step < STEPS; step++) {
            act();
            time.advanceTimeBy(STEP);
            check();
        }
        finish();
        return this;
    }

    private void act() {
        if (random.nextInt(4) == 0) {
            send();
        }
        SimulatedProcess one = processes.get(random.nextInt(processes.size()));
        switch (random.nextInt(120)) {
            case 0 -> crash(one);
            case 1 -> restart(one);
            case 2 -> stall(one);
            case 3 -> one.engine.pause();
            case 4, 5, 6 -> one.engine.resume();
            case 7 -> one.engine.concurrency(1 + random.nextInt(8));
            default -> {}
        }
    }

    /** Every second story has messages with envelopes, so that counts hold across processes. */
    private String body() {
        return envelopes == null ? "body" : EnvelopedText.of(envelopes, "body");
    }

    private void send() {
        sent(queue.send(body()));
        if (random.nextBoolean()) {
            processes.get(random.nextInt(processes.size())).engine.wake(SimulatedQueue.NAME);
        }
    }

    private void crash(SimulatedProcess one) {
        if (mayCrash && !one.clock.isDead()) {
            note("crash");
            one.clock.kill();
            processes.remove(one);
            processes.add(new SimulatedProcess());
        }
    }

    private void restart(SimulatedProcess one) {
        if (!one.stopping) {
            note("restart");
            one.stop();
            processes.add(new SimulatedProcess());
        }
    }

    private void stall(SimulatedProcess one) {
        note("stall");
        one.clock.stall(Duration.ofMillis(random.nextInt(45_000)).toNanos());
    }

    private void check() {
        checkOwners(processes.stream().map(process -> process.calls).toList());
        checkStops();
    }

    /** A stopped process has its report by its deadline, or when its stall is over, and holds nothing it could release. */
    private void checkStops() {
        for (SimulatedProcess process : List.copyOf(processes)) {
            if (process.stopping && process.report == null && process.clock.isAwake()) {
                if (now() > process.stopDeadline + STEP.toMillis()) {
                    violation("a stop has missed its deadline");
                }
            } else if (process.report != null) {
                processes.remove(process);
            }
        }
    }

    /** The faults end: everything that was sent is handled or poison, and the queue is empty. */
    private void finish() {
        endFaults();
        for (SimulatedProcess process : processes) {
            process.channel.latency(() -> Duration.ofMillis(5));
            process.engine.resume();
        }
        for (int minute = 0; minute < 40 && queue.size() > 0; minute++) {
            for (int step = 0; step < 240; step++) {
                time.advanceTimeBy(STEP);
                check();
            }
        }
        if (queue.size() > 0) {
            violation(queue.size() + " messages are left in the queue, " + queue.visible() + " of them visible");
        }
        checkHandled(queue.poison());
        checkRest();
        checkNextMessage(queue, this::body, processes.get(processes.size() - 1).engine);
    }

    /** No message is in hand at rest, and idle polls are few. */
    private void checkRest() {
        time.advanceTimeBy(Duration.ofMinutes(2));
        int before = queue.receives();
        time.advanceTimeBy(Duration.ofMinutes(1));
        long consumers =
                processes.stream().filter(process -> !process.clock.isDead()).count();
        if (queue.receives() - before > 8 * consumers) {
            violation(queue.receives() - before + " idle polls in a minute by " + consumers + " consumers");
        }
        for (SimulatedProcess process : processes) {
            if (process.engine.counters().inHand() > 0 && !process.stopping) {
                violation(
                        "a consumer at rest holds " + process.engine.counters().inHand());
            }
        }
    }
}
