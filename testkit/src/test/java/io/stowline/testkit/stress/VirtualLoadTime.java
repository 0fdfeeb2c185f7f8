package io.stowline.testkit.stress;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;

/** A clock that moves when the test sleeps, and runs what becomes due. Used by one thread. */
final class VirtualLoadTime implements LoadTime {

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
    private long now;
    private long number;

    private record Event(long at, long number, Runnable action) {}

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public void sleep(long nanos) {
        pass(nanos);
    }

    /** Lets time pass, also in the middle of a call that blocks. */
    void pass(long nanos) {
        long end = now + nanos;
        while (!events.isEmpty() && events.peek().at() <= end) {
            Event event = events.poll();
            now = Math.max(now, event.at());
            event.action().run();
        }
        now = Math.max(now, end);
    }

    void after(long nanos, Runnable action) {
        events.add(new Event(now + nanos, number++, action));
    }

    /** The service: a token bucket for each partition and one for the account, and a latency. */
    final class Service {

        private final java.util.Map<String, double[]> partitions = new java.util.HashMap<>();
        private final double[] account;
        private final double partitionRate;
        private final double accountRate;
        private final long latency;
        final java.util.List<StressCall> calls = new java.util.ArrayList<>();

        Service(double partitionRate, double accountRate, long latencyMillis) {
            this.partitionRate = partitionRate;
            this.accountRate = accountRate;
            this.account = new double[] {burst(accountRate), 0};
            this.latency = latencyMillis * 1_000_000;
        }

        private double burst(double rate) {
            return Math.max(1, rate / 20);
        }

        private boolean takes(double[] bucket, double rate, int entities) {
            bucket[0] = Math.min(burst(rate), bucket[0] + (now - bucket[1]) * rate / 1e9);
            bucket[1] = now;
            return bucket[0] >= Math.min(entities, burst(rate));
        }

        CompletableFuture<Void> call(StressCall call, int entities) {
            calls.add(call);
            double[] own =
                    partitions.computeIfAbsent(call.partition(), key -> new double[] {burst(partitionRate), now});
            CompletableFuture<Void> end = new CompletableFuture<>();
            if (takes(own, partitionRate, entities) && takes(account, accountRate, entities)) {
                own[0] -= entities;
                account[0] -= entities;
                after(latency, () -> end.complete(null));
            } else {
                after(
                        latency / 2,
                        () -> end.completeExceptionally(
                                new IllegalStateException("Status code 503, the server is busy")));
            }
            return end;
        }
    }

    /** A client that has so many requests on the wire, and lets others wait. */
    final class Connections {

        private final Deque<Runnable> waiting = new ArrayDeque<>();
        private int free;

        Connections(int number) {
            this.free = number;
        }

        CompletableFuture<Void> call(java.util.function.Supplier<CompletableFuture<Void>> request) {
            CompletableFuture<Void> end = new CompletableFuture<>();
            waiting.add(() -> request.get().whenComplete((value, error) -> {
                free++;
                run();
                if (error == null) {
                    end.complete(null);
                } else {
                    end.completeExceptionally(error);
                }
            }));
            run();
            return end;
        }

        private void run() {
            if (free > 0 && !waiting.isEmpty()) {
                free--;
                waiting.poll().run();
            }
        }
    }
}
