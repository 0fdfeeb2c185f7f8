package io.stowline.ring.internal.move;

import io.stowline.ring.RingMove;
import io.stowline.ring.internal.place.RingMember;
import io.stowline.ring.internal.place.RingMembers;
import io.stowline.ring.internal.place.RoutedTable;
import io.stowline.table.Entity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** {@link RingMove} over the tables of the accounts. */
public final class DefaultRingMove implements RingMove {

    private static final int MAX_PARALLELISM = 256;

    private final RingMembers members;
    private final MovePause pause;
    private final Duration checkEvery;
    private final Map<String, UnaryOperator<String>> tables = new LinkedHashMap<>();
    private final Set<String> without = new TreeSet<>();
    private Duration longestCall = Duration.ofMinutes(3);
    private int parallelism = 8;
    private Consumer<? super MoveProgress> listener = progress -> {};

    /**
     * Makes a move.
     *
     * @param checkEvery how long the check of a process counts
     */
    public DefaultRingMove(RingMembers members, MovePause pause, Duration checkEvery) {
        this.members = members;
        this.pause = pause;
        this.checkEvery = checkEvery;
    }

    @Override
    public RingMove table(String name, UnaryOperator<String> placement) {
        tables.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(placement, "placement"));
        return this;
    }

    @Override
    public RingMove without(String name) {
        without.add(Objects.requireNonNull(name, "name"));
        return this;
    }

    @Override
    public RingMove longestCall(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("longestCall is 0 or more, not " + time);
        }
        longestCall = time;
        return this;
    }

    @Override
    public RingMove parallelism(int partitions) {
        if (partitions < 1 || partitions > MAX_PARALLELISM) {
            throw new IllegalArgumentException("parallelism is 1 to " + MAX_PARALLELISM + ", not " + partitions);
        }
        parallelism = partitions;
        return this;
    }

    @Override
    public RingMove progress(Consumer<? super MoveProgress> progress) {
        listener = Objects.requireNonNull(progress, "listener");
        return this;
    }

    @Override
    public void run() {
        refuseForgotten();
        List<TablePartitionStore> stores = stores();
        RingMover mover = mover(stores);
        if (!mover.isFinished()) {
            stores.forEach(TablePartitionStore::createIfMissing);
            mover.run();
        }
    }

    @Override
    public void rollback() {
        refuseForgotten();
        mover(stores()).rollback();
    }

    @Override
    public Report verify() {
        RingMover.HomeCount count = mover(stores()).count();
        return new Report(count.old(), count.changed(), count.moving());
    }

    @Override
    public void finish() {
        refuseForgotten();
        mover(stores()).finish();
    }

    /** A table that is forgotten would be read in accounts where it is not. */
    private void refuseForgotten() {
        Set<String> forgotten = new TreeSet<>();
        for (RingMember member : members.all()) {
            forgotten.addAll(member.call(() -> member.client().listTables()));
        }
        forgotten.removeAll(tables.keySet());
        forgotten.removeAll(without);
        forgotten.remove(TableDescriptionStore.TABLE);
        if (!forgotten.isEmpty()) {
            throw new IllegalStateException("tables " + forgotten
                    + " of the accounts are not in the move: add each by table(name, placement), or leave it out by"
                    + " without(name)");
        }
    }

    private List<TablePartitionStore> stores() {
        List<TablePartitionStore> stores = new ArrayList<>();
        tables.forEach((name, placement) -> members.regions()
                .forEach(region -> stores.add(
                        new TablePartitionStore(new RoutedTable<>(name, Entity.class, members, region, placement)))));
        return stores;
    }

    private RingMover mover(List<TablePartitionStore> stores) {
        RingCount count = new RingCount();
        return new RingMover(
                RingDescription.accounts(members, RingEpoch.OLD, checkEvery),
                RingDescription.accounts(members, RingEpoch.NEW, checkEvery),
                new TableDescriptionStore(members),
                stores,
                pause,
                checkEvery.plus(longestCall),
                parallelism,
                this::refuseForgotten,
                visit -> listener.accept(count.after(visit)));
    }

    /** The visits of one call. */
    private static final class RingCount {

        private long visited;
        private long moved;

        MoveProgress after(RingMover.MovePass visit) {
            visited++;
            moved += visit.moved() ? 1 : 0;
            return new MoveProgress(visit.table(), visited, moved);
        }
    }
}
