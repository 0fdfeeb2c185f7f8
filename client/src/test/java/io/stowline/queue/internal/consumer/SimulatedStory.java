package io.stowline.queue.internal.consumer;

import io.stowline.queue.internal.body.EnvelopeFormat;
import io.stowline.queue.internal.consumer.SimulatedChannel.Fault;
import io.stowline.queue.internal.consumer.channel.MessageChannel;
import io.stowline.queue.internal.consumer.handler.MessageHandling;
import io.stowline.queue.internal.consumer.lease.KeeperEnvironment;
import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
import io.stowline.retry.Backoff;
import io.stowline.transport.internal.concurrent.SerialExecutor;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Seed's story of processes with consumers, over a network that loses and delays: time, chance, handlers, and the promises about each message. */
abstract class SimulatedStory {

    static final Duration STEP = Duration.ofMillis(250);

    final Random random;
    final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    final boolean mayCrash;
    private final ConsumerSettings settings;
    private final List<String> sent = new ArrayList<>();
    private final Set<String> handled = new HashSet<>();
    private final Set<String> unlucky = new HashSet<>();
    private final List<String> violations = new ArrayList<>();
    private final Deque<String> trace = new ArrayDeque<>();
    private int faultPercent;
    private long started;

    SimulatedStory(long seed, int maxConcurrency) {
        random = new Random(seed);
        mayCrash = random.nextInt(3) > 0;
        faultPercent = List.of(0, 2, 10, 25).get(random.nextInt(4));
        settings = new ConsumerSettings(
                1 + random.nextInt(maxConcurrency),
                random.nextInt(4) == 0 ? 1 + random.nextInt(8) : 1,
                Duration.ofSeconds(10 + random.nextInt(3) * 10L),
                Duration.ofMinutes(1 + random.nextInt(10)),
                5,
                Backoff.interactive(),
                random.nextBoolean() ? Duration.ofSeconds(20) : null,
                Duration.ofMillis(100),
                Duration.ofMillis(9_500),
                Duration.ofSeconds(20));
    }

    SimulatedChannel channel(SimulatedQueue queue, MortalScheduler clock) {
        SimulatedChannel channel = new SimulatedChannel(queue, time, clock);
        channel.faults(request -> fault());
        channel.latency(() -> Duration.ofMillis(random.nextInt(50) == 0 ? 3_000 : 1 + random.nextInt(30)));
        return channel;
    }

    private Fault fault() {
        return random.nextInt(100) >= faultPercent
                ? Fault.NONE
                : List.of(Fault.BUSY, Fault.LOST_REQUEST, Fault.LOST_RESPONSE).get(random.nextInt(3));
    }

    void endFaults() {
        faultPercent = 0;
    }

    ConsumerEngine engine(
            MessageChannel channel,
            MortalScheduler clock,
            List<SimulatedCall> runs,
            @Nullable EnvelopeFormat envelopes) {
        ConsumerEngine engine = new ConsumerEngine(
                settings,
                (messages, progress) -> new SimulatedCall(messages, progress, clock, runs),
                new ConsumerEnvironment(
                        new KeeperEnvironment(
                                channel,
                                envelopes,
                                new SerialExecutor(),
                                clock,
                                random,
                                Runnable::run,
                                settings.lease(),
                                settings.maxHold()),
                        new DeliveryHistories(clock),
                        Mono::just,
                        (message, event, end) -> note(end.result() + " " + message.id())));
        engine.start();
        return engine;
    }

    /** A handler that runs for a while, and then succeeds or fails. */
    final class SimulatedCall implements MessageHandling.HandlerCall {
        private final List<LeaseKeeper> messages;
        private final MessageHandling.Progress progress;
        private final MortalScheduler clock;
        private boolean over;

        SimulatedCall(
                List<LeaseKeeper> messages,
                MessageHandling.Progress progress,
                MortalScheduler clock,
                List<SimulatedCall> runs) {
            this.messages = messages;
            this.progress = progress;
            this.clock = clock;
            runs.add(this);
            started++;
            note("start " + messages.stream().map(LeaseKeeper::id).toList());
            progress.began();
            long millis = random.nextInt(20) == 0 ? random.nextInt(60_000) : random.nextInt(800);
            clock.schedule(this::finish, millis, TimeUnit.MILLISECONDS);
        }

        private void finish() {
            boolean fails =
                    messages.stream().anyMatch(message -> unlucky.contains(message.id())) || random.nextInt(20) == 0;
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

    long now() {
        return time.now(TimeUnit.MILLISECONDS);
    }

    void note(String event) {
        trace.add(now() + " " + event);
        if (trace.size() > 200) {
            trace.remove();
        }
    }

    void sent(String id) {
        sent.add(id);
        if (random.nextInt(25) == 0) {
            unlucky.add(id);
        }
    }

    /** Checks that no process has two handlers of a message, and that no two handlers believe in its lease. */
    void checkOwners(Collection<List<SimulatedCall>> processes) {
        Map<String, Integer> owners = new HashMap<>();
        for (List<SimulatedCall> runs : processes) {
            runs.removeIf(run -> run.over);
            Set<String> running = new HashSet<>();
            for (SimulatedCall run : runs) {
                for (LeaseKeeper message : run.messages) {
                    if (!running.add(message.id())) {
                        violation("a process runs two handlers for " + message.id());
                    }
                    if (!message.remaining().isZero()) {
                        owners.merge(message.id(), 1, Integer::sum);
                    }
                }
            }
        }
        owners.forEach((id, count) -> {
            if (count > 1) {
                violation(id + " has " + count + " owners that believe in their lease");
            }
        });
    }

    void checkHandled(Collection<String> poison) {
        for (String id : sent) {
            if (!handled.contains(id) && !poison.contains(id)) {
                violation(id + " was neither handled nor copied to the poison queue");
            }
        }
    }

    /** Checks that the next message of a queue is handled within 10 s, and that a woken consumer takes it at once. */
    void checkNextMessage(SimulatedQueue queue, Supplier<String> body, ConsumerEngine consumer) {
        long before = started;
        queue.send(body.get());
        time.advanceTimeBy(Duration.ofSeconds(10));
        if (started == before) {
            violation("a message of " + queue.name() + " has waited for 10 s");
        }
        time.advanceTimeBy(Duration.ofMinutes(2));
        before = started;
        queue.send(body.get());
        consumer.wake(queue.name());
        time.advanceTimeBy(Duration.ofMillis(50));
        if (started == before) {
            violation("a woken consumer has not polled " + queue.name());
        }
    }

    void violation(String text) {
        violations.add(now() + " " + text);
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
