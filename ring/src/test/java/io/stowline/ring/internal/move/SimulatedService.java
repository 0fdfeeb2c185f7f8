package io.stowline.ring.internal.move;

import io.stowline.ring.internal.place.ReservedRows;
import io.stowline.table.EntityKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The table service in memory: a transaction on one partition is applied whole or not at all. Requests and responses are lost, and requests
 * arrive late, for all who use it through a {@link Link}.
 */
final class SimulatedService {

    static final Duration HORIZON = Duration.ofMillis(400);
    static final List<String> ACCOUNTS = List.of("a", "b", "c");

    /** The old and the new home of each partition. */
    static final Map<String, List<String>> HOMES =
            Map.of("p0", List.of("a", "c"), "p1", List.of("b", "c"), "p2", List.of("b", "a"), "p3", List.of("a", "a"));

    /** A part of the protocol that is left out, to see that the oracles notice it. */
    enum Break {
        NONE,
        NO_FENCE,
        NO_COPY_FENCE,
        NO_VERSIONS,
        NO_COPY,
        NO_REREAD,
        NEW_THEN_OLD,
        NO_QUIET
    }

    private final VirtualThreads threads;
    private final Break broken;
    private final int faults;
    private final Map<String, TreeMap<String, Object>> partitions = new HashMap<>();
    private final Map<String, RingDescription> descriptions = new HashMap<>();
    private final Map<String, String> positions = new HashMap<>();
    private long etags;

    /**
     * Makes the service.
     *
     * @param faults how many requests of 1,000 meet a fault
     */
    SimulatedService(VirtualThreads threads, Break broken, int faults) {
        this.threads = threads;
        this.broken = broken;
        this.faults = faults;
    }

    /** Describes the ring in the accounts that have served before. */
    void describe(String ring, List<String> accounts) {
        RingDescription first = RingDescription.first(ring);
        accounts.forEach(account -> store(account, first));
    }

    private void store(String account, RingDescription description) {
        descriptions.put(
                account,
                new RingDescription(
                        description.before(),
                        description.after(),
                        description.phase(),
                        description.term(),
                        description.target(),
                        description.since(),
                        description.mover(),
                        "e" + etags++));
    }

    TreeMap<String, Object> rows(String account, String partitionKey) {
        return partitions.computeIfAbsent(account + "/" + partitionKey, key -> new TreeMap<>());
    }

    private TreeMap<String, Object> rows(RingEpoch home, String partitionKey) {
        return rows(HOMES.get(partitionKey).get(home.ordinal()), partitionKey);
    }

    static TreeMap<String, Object> entities(TreeMap<String, Object> rows) {
        TreeMap<String, Object> entities = new TreeMap<>(rows);
        entities.keySet().removeIf(key -> key.startsWith(ReservedRows.PREFIX));
        return entities;
    }

    enum Reply {
        APPLIED,
        REFUSED,
        FENCE_GONE,
        LOST
    }

    /** A connection of one process. */
    final class Link implements PartitionStore, DescriptionStore {

        private final int kills;
        private long deadline = Long.MAX_VALUE;

        /**
         * Makes a connection.
         *
         * @param kills how many of 1,000 requests end the process
         */
        Link(int kills) {
            this.kills = kills;
        }

        /** Begins a call that sends nothing after a time. */
        void begin(Duration longest) {
            deadline = threads.nanos() + longest.toNanos();
        }

        void turn() {
            if (threads.random().nextInt(15) == 0) {
                threads.await(Duration.ofMillis(threads.random().nextInt(300)));
            } else {
                threads.step();
            }
            if (threads.nanos() > deadline) {
                throw new PartitionDeadlineException();
            }
            kill();
        }

        private void kill() {
            if (kills > 0 && threads.random().nextInt(1000) < kills) {
                throw new VirtualThreads.KilledError();
            }
        }

        /** Sends a request that changes something. */
        Reply send(Supplier<Reply> request) {
            turn();
            int fault = faults == 0 ? 1000 : threads.random().nextInt(1000);
            if (fault < faults / 4) {
                return Reply.LOST;
            }
            if (fault < faults / 2) {
                threads.later(late(), request);
                return Reply.LOST;
            }
            Reply reply = request.get();
            if (fault < faults * 3 / 4) {
                threads.later(late(), request);
            } else if (fault < faults) {
                return Reply.LOST;
            }
            kill();
            return reply;
        }

        private Duration late() {
            return Duration.ofNanos((long) (threads.random().nextDouble() * HORIZON.toNanos()));
        }

        boolean put(BooleanSupplier request) {
            return send(() -> request.getAsBoolean() ? Reply.APPLIED : Reply.REFUSED) == Reply.APPLIED;
        }

        @Override
        public String name() {
            return "table";
        }

        @Override
        public @Nullable PlaceRow place(RingEpoch home, String partitionKey) {
            turn();
            return (PlaceRow) rows(home, partitionKey).get(PlaceRow.KEY);
        }

        @Override
        public boolean put(RingEpoch home, String partitionKey, @Nullable PlaceRow from, PlaceRow to) {
            return put(() -> {
                TreeMap<String, Object> rows = rows(home, partitionKey);
                PlaceRow there = (PlaceRow) rows.get(PlaceRow.KEY);
                if (broken != Break.NO_VERSIONS
                        && (there == null
                                ? from != null
                                : from == null || !there.etag().equals(from.etag()))) {
                    return false;
                }
                String oldFence = from == null ? null : from.fenceRow();
                String newFence = to.fenceRow();
                boolean same = oldFence != null && oldFence.equals(newFence);
                if (!same && oldFence != null && !rows.containsKey(oldFence) && broken == Break.NONE) {
                    throw new AssertionError("fence row of " + from + " is gone: " + rows);
                }
                if (!same && oldFence != null) {
                    rows.remove(oldFence);
                }
                if (newFence != null) {
                    rows.put(newFence, "");
                }
                rows.put(PlaceRow.KEY, new PlaceRow(to.stage(), to.fence(), to.term(), "e" + etags++));
                return true;
            });
        }

        @Override
        public long align(RingEpoch from, RingEpoch to, String partitionKey, String fenceRow) {
            turn();
            TreeMap<String, Object> source = SimulatedService.entities(rows(from, partitionKey));
            turn();
            TreeMap<String, Object> target = SimulatedService.entities(rows(to, partitionKey));
            if (broken == Break.NO_COPY) {
                return 0;
            }
            TreeSet<String> keys = new TreeSet<>(source.keySet());
            keys.addAll(target.keySet());
            List<String> different = new ArrayList<>(keys.stream()
                    .filter(key -> !Objects.equals(source.get(key), target.get(key)))
                    .toList());
            for (int i = 0; i < different.size(); i += 2) {
                List<String> some = different.subList(i, Math.min(i + 2, different.size()));
                Reply reply = send(() -> {
                    TreeMap<String, Object> rows = rows(to, partitionKey);
                    if (!rows.containsKey(fenceRow) && broken != Break.NO_COPY_FENCE) {
                        return Reply.FENCE_GONE;
                    }
                    for (String key : some) {
                        if (source.containsKey(key)) {
                            rows.put(key, source.get(key));
                        } else {
                            rows.remove(key);
                        }
                    }
                    return Reply.APPLIED;
                });
                if (reply == Reply.FENCE_GONE) {
                    throw new FenceClosedException();
                }
            }
            return different.size();
        }

        @Override
        public boolean clear(RingEpoch home, String partitionKey, PlaceRow row, boolean all) {
            String etag = row.etag();
            while (true) {
                turn();
                TreeMap<String, Object> rows = rows(home, partitionKey);
                List<String> keys = new ArrayList<>(rows.keySet().stream()
                        .filter(key -> !key.equals(PlaceRow.KEY) && !key.equals(row.fenceRow()))
                        .filter(key -> all || key.startsWith(ReservedRows.PREFIX))
                        .limit(2)
                        .toList());
                String version = etag;
                String next = "e" + etags++;
                boolean done = put(() -> {
                    PlaceRow there = (PlaceRow) rows.get(PlaceRow.KEY);
                    if (there == null || !there.etag().equals(version)) {
                        return false;
                    }
                    keys.forEach(rows::remove);
                    if (keys.isEmpty()) {
                        rows.remove(PlaceRow.KEY);
                        rows.remove(String.valueOf(row.fenceRow()));
                    } else {
                        rows.put(PlaceRow.KEY, new PlaceRow(there.stage(), there.fence(), there.term(), next));
                    }
                    return true;
                });
                if (!done) {
                    return false;
                }
                if (keys.isEmpty()) {
                    return true;
                }
                etag = next;
            }
        }

        /** Writes both rows of a writer, if the first has a version. */
        Reply write(
                String account,
                String partitionKey,
                String row,
                long expected,
                long version,
                @Nullable String fenceRow) {
            return send(() -> {
                TreeMap<String, Object> rows = rows(account, partitionKey);
                if (fenceRow != null && !rows.containsKey(fenceRow) && broken != Break.NO_FENCE) {
                    return Reply.FENCE_GONE;
                }
                if (!rows.getOrDefault(row, 0L).equals(expected)) {
                    return Reply.REFUSED;
                }
                rows.put(row, version);
                if (version % 3 == 0) {
                    rows.remove(row + "x");
                } else {
                    rows.put(row + "x", version);
                }
                return Reply.APPLIED;
            });
        }

        /** Reads a partition whole. */
        TreeMap<String, Object> read(String account, String partitionKey) {
            turn();
            return SimulatedService.entities(rows(account, partitionKey));
        }

        @Override
        public List<EntityKey> entities(RingEpoch home, String partitionKey) {
            turn();
            return keys(HOMES.get(partitionKey).get(home.ordinal()), partitionKey);
        }

        @Override
        public List<EntityKey> joined() {
            turn();
            return HOMES.keySet().stream()
                    .flatMap(key -> keys("c", key).stream())
                    .toList();
        }

        private List<EntityKey> keys(String account, String partitionKey) {
            return SimulatedService.entities(rows(account, partitionKey)).keySet().stream()
                    .map(row -> new EntityKey(partitionKey, row))
                    .toList();
        }

        @Override
        public List<String> accounts() {
            return ACCOUNTS;
        }

        @Override
        public List<String> partitions(String account, @Nullable String after) {
            turn();
            return HOMES.keySet().stream()
                    .sorted()
                    .filter(key -> after == null || key.compareTo(after) > 0)
                    .filter(key -> !rows(account, key).isEmpty())
                    .limit(2)
                    .toList();
        }

        @Override
        public boolean moves(String account, String partitionKey) {
            List<String> homes = HOMES.get(partitionKey);
            return !homes.get(0).equals(homes.get(1)) && homes.contains(account);
        }

        @Override
        public @Nullable RingDescription read(String account) {
            turn();
            return descriptions.get(account);
        }

        @Override
        public boolean write(String account, RingDescription description, @Nullable String etag) {
            return put(() -> {
                RingDescription there = descriptions.get(account);
                if (there == null ? etag != null : !there.etag().equals(etag)) {
                    return false;
                }
                store(account, description);
                return true;
            });
        }

        @Override
        public @Nullable String position(String key) {
            turn();
            return positions.get(key);
        }

        @Override
        public void keepPosition(String key, String position) {
            put(() -> {
                positions.put(key, position);
                return true;
            });
        }
    }

    /** The end of a call that may send nothing more. */
    static final class PartitionDeadlineException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
