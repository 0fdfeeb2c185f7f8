package io.stowline.ring.internal.move;

import io.stowline.ring.internal.move.RingMover.MovePass;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Passes over all partitions and blobs whose homes differ. A pass that was broken off goes on behind the position that it has kept. */
final class MovePasses {

    private final DescriptionStore descriptions;
    private final List<? extends PartitionStore> tables;
    private final List<? extends ContainerMover> containers;
    private final int parallelism;
    private final Consumer<MovePass> progress;

    /**
     * Prepares passes.
     *
     * @param descriptions keeps the positions
     * @param parallelism how many partitions or blobs are visited at a time
     * @param progress gets each one that was visited
     */
    MovePasses(
            DescriptionStore descriptions,
            List<? extends PartitionStore> tables,
            List<? extends ContainerMover> containers,
            int parallelism,
            Consumer<MovePass> progress) {
        this.descriptions = descriptions;
        this.tables = tables;
        this.containers = containers;
        this.parallelism = parallelism;
        this.progress = progress;
    }

    /** The work on one partition. */
    @FunctionalInterface
    private interface Visit {
        boolean at(PartitionMover mover, String partitionKey);
    }

    /** The work on one blob. */
    @FunctionalInterface
    private interface BlobVisit {
        boolean at(ContainerMover mover, String blob);
    }

    /**
     * Brings all to the homes that a description names.
     *
     * @param refuseLater throws if another mover has begun since
     */
    void bring(RingDescription now, Runnable refuseLater) {
        pass(
                kind(now),
                now,
                (partition, key) -> partition.bring(key, now.target()),
                (container, blob) -> container.bring(blob, now, refuseLater));
    }

    /** Removes what is left in the homes that a description does not name. */
    void clean(RingDescription now) {
        pass(
                kind(now),
                now,
                (partition, key) -> {
                    partition.clean(key, now.target());
                    return false;
                },
                (container, blob) -> {
                    container.clean(blob, now.target());
                    return false;
                });
    }

    /** Returns the home of each, {@code null} for one that moves. */
    List<@Nullable RingEpoch> homes(RingDescription now, boolean finished) {
        List<@Nullable RingEpoch> homes = Collections.synchronizedList(new ArrayList<>());
        pass(
                "",
                now,
                (partition, key) -> {
                    homes.add(finished ? RingEpoch.NEW : partition.home(key));
                    return false;
                },
                (container, blob) -> {
                    homes.add(finished ? RingEpoch.NEW : container.home(blob));
                    return false;
                });
        return homes;
    }

    private static String kind(RingDescription now) {
        return now.phase() + "," + now.target() + "," + now.since();
    }

    /** Positions count within one phase, and only as long as no mover has begun in the other direction. */
    private void pass(String kind, RingDescription now, Visit visit, BlobVisit blobVisit) {
        try (MoveThreads threads = new MoveThreads(parallelism)) {
            pass(threads, kind, now, visit, blobVisit);
        }
    }

    private void pass(MoveThreads threads, String kind, RingDescription now, Visit visit, BlobVisit blobVisit) {
        for (PartitionStore table : tables) {
            PartitionMover partitions = new PartitionMover(table, now);
            pass(
                    threads,
                    kind,
                    table.name(),
                    table.accounts(),
                    table::partitions,
                    table::moves,
                    key -> visit.at(partitions, key));
        }
        for (ContainerMover container : containers) {
            pass(
                    threads,
                    kind,
                    container.name(),
                    container.accounts(),
                    container::blobs,
                    container::moves,
                    blob -> blobVisit.at(container, blob));
        }
    }

    private void pass(
            MoveThreads threads,
            String kind,
            String name,
            List<String> accounts,
            BiFunction<String, @Nullable String, List<String>> keys,
            BiPredicate<String, String> moves,
            Predicate<String> visit) {
        for (String account : accounts) {
            String row = name + "@" + account;
            String kept = kind.isEmpty() ? null : descriptions.position(row);
            String position = kept != null && kept.startsWith(kind + ">") ? kept.substring(kind.length() + 1) : null;
            List<String> some = keys.apply(account, position);
            while (!some.isEmpty()) {
                threads.visit(
                        some.stream().filter(key -> moves.test(account, key)).toList(),
                        visit,
                        (key, moved) -> progress.accept(new MovePass(name, key, moved)));
                position = some.get(some.size() - 1);
                if (!kind.isEmpty()) {
                    descriptions.keepPosition(row, kind + ">" + position);
                }
                some = keys.apply(account, position);
            }
        }
    }
}
