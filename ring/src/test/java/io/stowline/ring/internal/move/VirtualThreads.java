package io.stowline.ring.internal.move;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Actors in virtual time: one runs at a time, from one step to the next, in an order that the seed decides. */
final class VirtualThreads implements MovePause {

    private static final int MAX_STEPS = 200_000;

    private final Random random;
    private final Semaphore scheduler = new Semaphore(0);
    private final List<Actor> actors = new ArrayList<>();
    private final List<LateStep> late = new ArrayList<>();
    private long now;
    private @Nullable Actor running;
    private boolean ended;

    VirtualThreads(long seed) {
        random = new Random(seed);
    }

    /** The end of an actor as if its process had been killed. */
    static final class KilledError extends Error {
        private static final long serialVersionUID = 1L;

        KilledError() {
            super("killed", null, false, false);
        }
    }

    private record LateStep(long due, Supplier<?> step) {}

    private final class Actor {
        private final Semaphore turn = new Semaphore(0);
        private final String name;
        private long wake;
        private boolean done;
        private @Nullable Throwable failure;

        Actor(String name) {
            this.name = name;
        }
    }

    Random random() {
        return random;
    }

    void start(String name, Runnable work) {
        Actor actor = new Actor(name);
        actors.add(actor);
        Thread thread = new Thread(
                () -> {
                    actor.turn.acquireUninterruptibly();
                    try {
                        work.run();
                    } catch (KilledError e) {
                        // the process is gone
                    } catch (Throwable e) {
                        actor.failure = e;
                    }
                    actor.done = true;
                    scheduler.release();
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Runs all actors to their ends. */
    void run() {
        for (int step = 0; ; step++) {
            for (int i = late.size() - 1; i >= 0; i--) {
                if (late.get(i).due <= now) {
                    Objects.requireNonNull(late.remove(i).step.get());
                }
            }
            List<Actor> ready = new ArrayList<>();
            long next = Long.MAX_VALUE;
            boolean open = false;
            for (Actor actor : actors) {
                if (actor.failure != null) {
                    ended = true;
                    actors.forEach(any -> any.turn.release());
                    throw new AssertionError(actor.name + " failed after " + step + " steps", actor.failure);
                }
                open |= !actor.done;
                if (!actor.done && actor.wake <= now) {
                    ready.add(actor);
                } else if (!actor.done) {
                    next = Math.min(next, actor.wake);
                }
            }
            if (!open && late.isEmpty()) {
                return;
            }
            if (step > MAX_STEPS) {
                ended = true;
                actors.forEach(any -> any.turn.release());
                throw new AssertionError("an actor never ends: "
                        + actors.stream().filter(a -> !a.done).map(a -> a.name).toList());
            }
            if (ready.isEmpty()) {
                for (LateStep waiting : late) {
                    next = Math.min(next, waiting.due);
                }
                now = Math.max(now, next);
                continue;
            }
            Actor chosen = ready.get(random.nextInt(ready.size()));
            running = chosen;
            chosen.turn.release();
            scheduler.acquireUninterruptibly();
            now += random.nextInt(10_000_000);
        }
    }

    /** Lets other actors run. */
    void step() {
        Actor me = running;
        if (me == null) {
            return;
        }
        scheduler.release();
        me.turn.acquireUninterruptibly();
        if (ended) {
            throw new KilledError();
        }
    }

    void later(Duration delay, Supplier<?> step) {
        late.add(new LateStep(now + delay.toNanos(), step));
    }

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public void await(Duration time) {
        Actor me = running;
        if (me == null) {
            now += time.toNanos();
            return;
        }
        me.wake = now + time.toNanos();
        step();
    }

    /** Ends the part of the actors; what runs after it has no other actor beside it. */
    void alone() {
        running = null;
    }
}
