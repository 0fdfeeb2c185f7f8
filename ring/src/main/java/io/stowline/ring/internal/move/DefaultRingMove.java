package io.stowline.ring.internal.move;

import io.stowline.Stowline;
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
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** {@link RingMove} over the tables and containers of the accounts. */
public final class DefaultRingMove implements RingMove {

    private static final int MAX_PARALLELISM = 256;

    private final RingMembers members;
    private final MovePause pause;
    private final Duration checkEvery;
    private final Map<String, UnaryOperator<String>> tables = new LinkedHashMap<>();
    private final Map<String, UnaryOperator<String>> containers = new LinkedHashMap<>();
    private final BiFunction<String, UnaryOperator<String>, List<ContainerMover>> movers;
    private final Set<String> without = new TreeSet<>();
    private Duration longestCall = Duration.ofMinutes(3);
    private int parallelism = 8;
    private Consumer<? super MoveProgress> listener = progress -> {};

    /**
     * Makes a move.
     *
     * @param movers gives the movers of a container in all regions, by its name and placement
     * @param checkEvery how long the check of a process counts
     */
    public DefaultRingMove(
            RingMembers members,
            BiFunction<String, UnaryOperator<String>, List<ContainerMover>> movers,
            MovePause pause,
            Duration checkEvery) {
        this.movers = movers;
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
    public RingMove container(String name, UnaryOperator<String> placement) {
        containers.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(placement, "placement"));
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
        List<ContainerMover> blobs = blobs();
        RingMover mover = mover(stores, blobs);
        if (!mover.isFinished()) {
            stores.forEach(TablePartitionStore::createIfMissing);
            blobs.forEach(ContainerMover::createIfMissing);
            mover.run();
        }
    }

    @Override
    public void rollback() {
        refuseForgotten();
        mover(stores(), blobs()).rollback();
    }

    @Override
    public Report verify() {
        RingMover.HomeCount count = mover(stores(), blobs()).count();
        return new Report(count.old(), count.changed(), count.moving());
    }

    @Override
    public void finish() {
        refuseForgotten();
        mover(stores(), blobs()).finish();
    }

    /** Rows and blobs of a holder that is forgotten would be read in accounts where they are not. */
    private void refuseForgotten() {
        refuseForgotten("table", tables.keySet(), Stowline::listTables);
        refuseForgotten("container", containers.keySet(), Stowline::listContainers);
    }

    private void refuseForgotten(String kind, Set<String> added, Function<Stowline, List<String>> list) {
        Set<String> forgotten = new TreeSet<>();
        String service = kind.equals("table") ? kind : "blob";
        for (RingMember member : members.all()) {
            if (member.client().endpoints().containsKey(service)) {
                forgotten.addAll(member.call(() -> list.apply(member.client())));
            }
        }
        forgotten.removeAll(added);
        forgotten.removeAll(without);
        forgotten.remove(TableDescriptionStore.TABLE);
        forgotten.removeIf(name -> name.startsWith("$"));
        if (!forgotten.isEmpty()) {
            throw new IllegalStateException(
                    kind + "s " + forgotten + " of the accounts are not in the move: add each by " + kind
                            + "(name, placement), or leave it out by without(name)");
        }
    }

    private List<TablePartitionStore> stores() {
        List<TablePartitionStore> stores = new ArrayList<>();
        tables.forEach((name, placement) -> members.regions()
                .forEach(region -> stores.add(new TablePartitionStore(
                        new RoutedTable<>(name, Entity.class, members, region, placement), pause))));
        return stores;
    }

    private List<ContainerMover> blobs() {
        List<ContainerMover> blobs = new ArrayList<>();
        containers.forEach((name, placement) -> blobs.addAll(movers.apply(name, placement)));
        return blobs;
    }

    private RingMover mover(List<TablePartitionStore> stores, List<ContainerMover> blobs) {
        RingCount count = new RingCount();
        return new RingMover(
                RingDescription.accounts(members, RingEpoch.OLD, checkEvery),
                RingDescription.accounts(members, RingEpoch.NEW, checkEvery),
                new TableDescriptionStore(members),
                stores,
                blobs,
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
