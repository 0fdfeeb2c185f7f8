package io.stowline.ring.internal.move;

import io.stowline.error.StorageInterruptedException;
import io.stowline.ring.RingMove;
import io.stowline.ring.internal.place.PartitionRoutes;
import io.stowline.ring.internal.place.RingMembers;
import io.stowline.ring.internal.place.RoutedTable;
import io.stowline.ring.internal.place.SteadyRoutes;
import io.stowline.table.Entity;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** The change of one ring, as this process takes part in it: the guard of its accounts, the routes of its tables, and its moves. Thread-safe. */
public final class RingChange {

    private final RingMembers members;
    private final MovePause pause = new SystemPause();
    private final Duration checkEvery;
    private final DescriptionCheck check;

    /**
     * Makes the part of this process, and sets the guard of the members.
     *
     * @param checkEvery how long a check of the description counts
     */
    public RingChange(RingMembers members, Duration checkEvery) {
        this.members = members;
        this.checkEvery = checkEvery;
        this.check = new DescriptionCheck(
                RingDescription.accounts(members, RingEpoch.OLD, checkEvery),
                RingDescription.accounts(members, RingEpoch.NEW, checkEvery),
                new TableDescriptionStore(members),
                pause,
                checkEvery);
        members.guard(check);
    }

    /** Returns the routes of a table. */
    public <T> PartitionRoutes<T> routes(RoutedTable<T> table) {
        return members.isChanging()
                ? new MovingRoutes<>(table, new TablePartitionStore(table.as(Entity.class), pause), check, pause)
                : new SteadyRoutes<>(table);
    }

    /** Returns the check of this process. */
    public DescriptionCheck check() {
        return check;
    }

    /** Returns the time by which operations wait. */
    public MovePause pause() {
        return pause;
    }

    /**
     * Returns a move without tables and containers.
     *
     * @param movers gives the movers of a container in all regions, by its name and placement
     */
    public RingMove move(BiFunction<String, UnaryOperator<String>, List<ContainerMover>> movers) {
        if (!members.isChanging()) {
            throw new IllegalStateException("the ring has no account that joins or leaves, so that nothing moves");
        }
        return new DefaultRingMove(members, movers, pause, checkEvery);
    }

    /** {@link MovePause} of this machine. Its time goes on while the machine sleeps, unlike that of the JVM. Thread-safe. */
    private static final class SystemPause implements MovePause {

        private final long nanos = System.nanoTime();
        private final long millis = System.currentTimeMillis();
        private long latest;

        @Override
        public synchronized long nanos() {
            long wall = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() - millis);
            latest = Math.max(latest, Math.max(System.nanoTime() - nanos, wall));
            return latest;
        }

        @Override
        public void await(Duration time) {
            try {
                TimeUnit.NANOSECONDS.sleep(time.toNanos());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StorageInterruptedException(e);
            }
        }
    }
}
