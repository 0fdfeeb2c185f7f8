package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.batch.Admission;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import reactor.core.Disposable;

/** Grants permits at once, later when the test says so, or late although the request was cancelled. */
final class SimulatedGate implements Admission {

    private final Random random;
    private final int permits;
    private final List<Place> line = new ArrayList<>();
    private int out;

    SimulatedGate(Random random, int permits) {
        this.random = random;
        this.permits = permits;
    }

    @Override
    public Waiting request(Consumer<Disposable> granted) {
        Place place = new Place(granted);
        line.add(place);
        if (random.nextBoolean()) {
            grantOne();
        }
        return () -> line.remove(place);
    }

    @Override
    public int limit() {
        return permits;
    }

    void grantOne() {
        if (!line.isEmpty() && out < permits) {
            Place place = line.remove(0);
            out++;
            AtomicBoolean released = new AtomicBoolean();
            place.granted.accept(() -> {
                if (!released.compareAndSet(false, true)) {
                    throw new IllegalStateException("a permit was released twice");
                }
                out--;
            });
        }
    }

    void grantAll() {
        int before = -1;
        while (!line.isEmpty() && line.size() + 1_000 * out != before) {
            before = line.size() + 1_000 * out;
            grantOne();
        }
    }

    int out() {
        return out;
    }

    int waiting() {
        return line.size();
    }

    private record Place(Consumer<Disposable> granted) {}
}
