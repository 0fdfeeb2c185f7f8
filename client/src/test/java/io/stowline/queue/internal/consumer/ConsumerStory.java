package io.stowline.queue.internal.consumer;

import io.stowline.queue.internal.EnvelopeFormat;
import io.stowline.queue.internal.consumer.ConsumerCounters.StopCounts;
import io.stowline.queue.internal.consumer.SimulatedChannel.Fault;
import io.stowline.queue.internal.consumer.handler.MessageHandling;
import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
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
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * One seed's story: processes with a consumer each over one queue, which crash, stall and restart, over a network that loses and delays.
 * After every step it checks that no message has two handlers that both believe in their lease.
 */
final class ConsumerStory {

    private static final Duration STEP = Duration.ofMillis(250);
    private static final int STEPS = 1_200;

    private final Random random;
    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final SimulatedQueue queue = new SimulatedQueue(time);
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final List<String> sent = new ArrayList<>();
    private final Set<String> handled = new HashSet<>();
    private final Set<String> unlucky = new HashSet<>();
    private final List<String> violations = new ArrayList<>();
    private final Deque<String> trace = new ArrayDeque<>();
    private final ConsumerSettings settings;
    private final boolean mayCrash;
    private final int faultPercent;
    private long started;
    private final @Nullable EnvelopeFormat envelopes;

    ConsumerStory(long seed) {
        random = new Random(seed);
        envelopes = seed % 2 == 0 ? null : EnvelopedText.FORMAT;
        mayCrash = random.nextInt(3) > 0;
        faultPercent = List.of(0, 2, 10, 25).get(random.nextInt(4));
        settings = new ConsumerSettings(
                1 + random.nextInt(8),
                random.nextInt(4) == 0 ? 1 + random.nextInt(8) : 1,
                Duration.ofSeconds(10 + random.nextInt(3) * 10L),
                Duration.ofMinutes(1 + random.nextInt(10)),
                5,
                Backoff.interactive(),
                random.nextBoolean() ? Duration.ofSeconds(20) : null,
                Duration.ofMillis(100),
                Duration.ofMillis(9_500),
                Duration.ofSeconds(20));
        queue.skew(() -> random.nextInt(1_000));
    }

    /** One process. */
    private final class SimulatedProcess {
        private final MortalScheduler clock = new MortalScheduler(time);
        private final SimulatedChannel channel = new SimulatedChannel(queue, time, clock);
        private final ConsumerEngine engine;
        private final List<Call> calls = new ArrayList<>();
        private boolean stopping;
        private @Nullable StopCounts report;
        private long stopDeadline;

        SimulatedProcess() {
            channel.faults(request -> fault());
            channel.latency(() -> Duration.ofMillis(random.nextInt(50) == 0 ? 3_000 : 1 + random.nextInt(30)));
            engine = new ConsumerEngine(
                    settings,
                    channel,
                    Call::new,
                    new ConsumerEnvironment(
                            clock,
                            random,
                            Runnable::run,
                            envelopes,
                            new DeliveryHistories(clock),
                            Mono::just,
                            (message, event, result, error) -> note(result + " " + message.id())));
            engine.start();
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
                    note("end " + messages.stream().map(LeaseKeeper::id).toList() + " " + error);
                    progress.ended(error);
                }
            }

            /** Some handlers react at once, some later, and some never. */
            @Override
            public void cancel() {
                if (random.nextInt(3) > 0) {
                    clock.schedule(() -> end(new InterruptedException()), random.nextInt(3_000), TimeUnit.MILLISECONDS);
                }
            }
        }

        void stop() {
            stopping = true;
            Duration atMost = Duration.ofMillis(500 + random.nextInt(15_000));
            stopDeadline = now() + atMost.toMillis();
            engine.stop(atMost).subscribe(counts -> report = counts);
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
        String id = queue.send(body());
        sent.add(id);
        if (random.nextInt(25) == 0) {
            unlucky.add(id);
        }
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
        Map<String, Integer> owners = new HashMap<>();
        for (SimulatedProcess process : processes) {
            for (SimulatedProcess.Call call : process.calls) {
                if (!call.over) {
                    call.messages.stream()
                            .filter(message -> !message.remaining().isZero())
                            .forEach(message -> owners.merge(message.id(), 1, Integer::sum));
                }
            }
            process.calls.removeIf(call -> call.over);
            List<String> running = process.calls.stream()
                    .flatMap(call -> call.messages.stream())
                    .map(LeaseKeeper::id)
                    .toList();
            if (new HashSet<>(running).size() < running.size()) {
                violation("a process runs two handlers for one message of " + running);
            }
        }
        owners.forEach((id, count) -> {
            if (count > 1) {
                violation(id + " has " + count + " owners that believe in their lease");
            }
        });
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

    private void violation(String text) {
        violations.add(now() + " " + text);
    }

    /** The faults end: everything that was sent is handled or poison, and the queue is empty. */
    private void finish() {
        for (SimulatedProcess process : processes) {
            process.channel.faults(request -> Fault.NONE);
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
        for (String id : sent) {
            if (!handled.contains(id) && !queue.poison().contains(id)) {
                violation(id + " was neither handled nor copied to the poison queue");
            }
        }
        checkRest();
        checkNextMessage();
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

    /** The next message is handled within 10 s, and a woken consumer takes it at once. */
    private void checkNextMessage() {
        long before = started;
        queue.send(body());
        time.advanceTimeBy(Duration.ofSeconds(10));
        if (started == before) {
            violation("a message has waited for 10 s");
        }
        time.advanceTimeBy(Duration.ofMinutes(2));
        before = started;
        queue.send(body());
        processes.get(processes.size() - 1).engine.wake(SimulatedQueue.NAME);
        time.advanceTimeBy(Duration.ofMillis(50));
        if (started == before) {
            violation("a woken consumer has not polled");
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
}
