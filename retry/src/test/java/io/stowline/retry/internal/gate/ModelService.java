package io.stowline.retry.internal.gate;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import java.util.function.Consumer;

/**
 * A service that works on so many requests at a time, keeps others in a queue, and refuses at once what the queue cannot
 * hold. The times of its work are log-normal.
 */
public final class ModelService {

    static final double NETWORK = 0.004;

    private static final double SPREAD = 0.4;

    private final VirtualTime time;
    private final Random random;
    private final int queueLimit;
    private final Queue<Runnable> queue = new ArrayDeque<>();
    private int slots;
    private double work;
    private int busy;
    /** The number of requests that the queue could not take. */
    int refused;

    ModelService(VirtualTime time, Random random, int slots, double work, int queueLimit) {
        this.time = time;
        this.random = random;
        this.slots = slots;
        this.work = work;
        this.queueLimit = queueLimit;
    }

    /** Sends a request; true when it was done and false when it was refused. */
    public void send(Consumer<Boolean> responded) {
        time.in(NETWORK / 2, () -> arrive(done -> time.in(NETWORK / 2, () -> responded.accept(done))));
    }

    private void arrive(Consumer<Boolean> responded) {
        if (busy < slots) {
            serve(responded);
        } else if (queue.size() < queueLimit) {
            queue.add(() -> serve(responded));
        } else {
            refused++;
            responded.accept(false);
        }
    }

    private void serve(Consumer<Boolean> responded) {
        busy++;
        time.in(work * Math.exp(SPREAD * random.nextGaussian() - SPREAD * SPREAD / 2), () -> {
            busy--;
            serveNext();
            responded.accept(true);
        });
    }

    private void serveNext() {
        while (busy < slots && !queue.isEmpty()) {
            queue.remove().run();
        }
    }

    void become(int newSlots, double newWork) {
        slots = newSlots;
        work = newWork;
        serveNext();
    }

    /** Requests per second. */
    double capacity() {
        return slots / work;
    }

    /** The mean latency of a request that meets no queue. */
    double unloaded() {
        return work + NETWORK;
    }
}
