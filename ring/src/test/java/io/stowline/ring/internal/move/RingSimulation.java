package io.stowline.ring.internal.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.ring.PartitionMovingException;
import io.stowline.ring.RingMismatchException;
import io.stowline.ring.internal.move.SimulatedService.Break;
import io.stowline.ring.internal.move.SimulatedService.Link;
import io.stowline.ring.internal.move.SimulatedService.PartitionDeadlineException;
import io.stowline.ring.internal.move.SimulatedService.Reply;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A ring that changes while applications write, read and scan, and movers start, fail and are replaced. Each pair of rows has one writer and
 * versions that only grow, so every read can be judged: no accepted version is lost, none goes back, and no half of a transaction shows.
 */
final class RingSimulation extends ChangeSimulation {

    private final Break broken;
    private final Map<String, Long> accepted = new HashMap<>();
    private final Map<String, Long> attempted = new HashMap<>();
    private final Set<String> open = new HashSet<>();

    RingSimulation(long seed, Break broken) {
        super(seed, broken, broken != Break.NO_QUIET);
        this.broken = broken;
    }

    @Override
    List<PartitionStore> tables(Link link) {
        return List.of(link);
    }

    @Override
    List<ContainerMover> containers(Link link) {
        return List.of();
    }

    /** A process with its own link, check and cache of place rows. */
    private final class Process {
        private final Link link = service.new Link(0);
        private final String before;
        private final String after;
        private final DescriptionCheck check;
        private final PartitionFence fence;
        private final Map<String, PlaceRow> places = new HashMap<>();

        Process(String before, String after) {
            this.before = before;
            this.after = after;
            this.check = new DescriptionCheck(before, after, link, threads, CHECKED);
            this.fence = new PartitionFence(link, this::description, threads, LONGEST);
        }

        /** A process with one epoch goes to its homes, whatever the phase. */
        private RingDescription description(String partitionKey) {
            return check.of(account(before.equals(NEW_RING) ? RingEpoch.NEW : RingEpoch.OLD, partitionKey));
        }

        private boolean changing() {
            return !before.equals(after);
        }

        private RingEpoch home() {
            return before.equals(NEW_RING) ? RingEpoch.NEW : RingEpoch.OLD;
        }

        <R> R write(String partitionKey, PartitionFence.FencedWrite<R> write) {
            link.begin(LONGEST);
            if (changing() && moves(partitionKey)) {
                return fence.write(partitionKey, write);
            }
            description(partitionKey);
            try {
                return write.at(home(), null);
            } catch (RefusedWriteException e) {
                throw e.refusal();
            }
        }

        TreeMap<String, Object> read(String partitionKey) {
            link.begin(LONGEST);
            if (changing() && moves(partitionKey)) {
                if (broken == Break.NEW_THEN_OLD
                        && description(partitionKey).phase().fenced()) {
                    TreeMap<String, Object> rows = link.read(account(RingEpoch.NEW, partitionKey), partitionKey);
                    return rows.isEmpty() ? link.read(account(RingEpoch.OLD, partitionKey), partitionKey) : rows;
                }
                if (broken == Break.NO_REREAD
                        && description(partitionKey).phase().fenced()) {
                    PlaceRow row = places.computeIfAbsent(partitionKey, key -> link.place(RingEpoch.OLD, key));
                    RingEpoch home =
                            row == null ? description(partitionKey).phase().home() : row.source();
                    return link.read(account(home, partitionKey), partitionKey);
                }
                return fence.read(partitionKey, home -> link.read(account(home, partitionKey), partitionKey));
            }
            description(partitionKey);
            return link.read(account(home(), partitionKey), partitionKey);
        }
    }

    void run() {
        // A ring that has served for a while: rows without place rows, written before the change.
        for (String key : SimulatedService.HOMES.keySet()) {
            for (String row : List.of("w0", "w1")) {
                if (random.nextBoolean()) {
                    long version = 1 + random.nextInt(2);
                    TreeMap<String, Object> rows = service.rows(account(RingEpoch.OLD, key), key);
                    rows.put(row, version);
                    rows.put(row + "x", version);
                    accepted.put(key + row, version);
                    attempted.put(key + row, version);
                }
            }
        }
        service.describe(OLD_RING, List.of("a", "b"));
        int writers = 1 + random.nextInt(4);
        for (int i = 0; i < writers; i++) {
            String row = "w" + i;
            int kind = i == 0 ? 0 : random.nextInt(5);
            String before = kind == 4 ? NEW_RING : OLD_RING;
            String after = kind == 3 ? OLD_RING : NEW_RING;
            start("writer " + i, () -> writer(new Process(before, after), row));
        }
        for (int i = 0; i < 2; i++) {
            String before = random.nextInt(5) == 0 ? NEW_RING : OLD_RING;
            start("reader " + i, () -> reader(new Process(before, NEW_RING)));
        }
        boolean back = random.nextInt(3) == 0;
        start("move", () -> {
            move(random.nextInt(4) == 0);
            if (random.nextInt(3) == 0) {
                move(random.nextBoolean());
            }
            awaitOtherMovers();
            // A late description of the mover that was killed last would stop the next one.
            threads.await(SimulatedService.HORIZON);
            last(back);
        });
        if (random.nextInt(3) == 0) {
            start("other move", () -> {
                threads.await(Duration.ofMillis(random.nextInt(8_000)));
                move(random.nextBoolean());
            });
        }
        threads.run();
        threads.alone();
        ended(back ? RingEpoch.OLD : RingEpoch.NEW);
    }

    /** The last move ends, once all processes may: those with one epoch wait for their phase. */
    private void last(boolean back) {
        Duration pause = Duration.ofMillis(random.nextInt(3_000));
        if (back) {
            mover(0).rollback();
            repeated(mover(0)::rollback);
        } else {
            mover(0).run();
            threads.await(pause);
            if (random.nextBoolean()) {
                awaitProcesses();
            }
            mover(0).finish();
            repeated(mover(0)::run);
            repeated(mover(0)::finish);
            assertThat(mover(0).count().old())
                    .as("partitions in their old homes")
                    .isZero();
            assertThatThrownBy(mover(0)::rollback).isInstanceOf(IllegalStateException.class);
        }
    }

    /** A script that runs once more, while processes with the ring after the change write. */
    private void repeated(Runnable step) {
        for (int i = random.nextInt(3); i > 0; i--) {
            threads.await(Duration.ofMillis(random.nextInt(3_000)));
            step.run();
        }
    }

    private void writer(Process process, String row) {
        String[] keys = SimulatedService.HOMES.keySet().stream().sorted().toArray(String[]::new);
        int refusals = 0;
        for (int i = 0; i < 30 && refusals < 12; i++) {
            think(1_500, 500);
            String key = keys[random.nextInt(keys.length)];
            try {
                boolean known = random.nextBoolean() && !open.contains(key + row);
                long expected = known
                        ? accepted.getOrDefault(key + row, 0L)
                        : (Long) judged(process, key).getOrDefault(row, 0L);
                write(process, key, row, expected);
            } catch (RingMismatchException e) {
                refusals++;
            } catch (PartitionDeadlineException | PartitionMovingException e) {
                // a call that ended in time
            }
        }
    }

    private void write(Process process, String key, String row, long expected) {
        long version = Math.max(expected, attempted.getOrDefault(key + row, 0L)) + 1;
        boolean unknownBefore = open.contains(key + row);
        attempted.put(key + row, version);
        open.add(key + row);
        Boolean done;
        try {
            done = process.write(
                    key, (home, fenceRow) -> attempt(process, key, row, expected, version, home, fenceRow));
        } catch (IllegalStateException e) {
            if (!unknownBefore) {
                throw new AssertionError("a write was refused although its version was there", e);
            }
            return;
        }
        if (done) {
            accepted.put(key + row, version);
            open.remove(key + row);
        }
    }

    /** Sends a write as the client does: repeats it after a lost response, and reads back when the repetition is refused. */
    private boolean attempt(
            Process process,
            String key,
            String row,
            long expected,
            long version,
            RingEpoch home,
            @Nullable String fenceRow) {
        String account = account(home, key);
        boolean lost = false;
        for (int i = 0; i < 3; i++) {
            Reply reply = process.link.write(account, key, row, expected, version, fenceRow);
            if (reply == Reply.APPLIED) {
                return true;
            }
            if (reply == Reply.LOST) {
                lost = true;
                continue;
            }
            if (lost && process.link.read(account, key).getOrDefault(row, 0L).equals(version)) {
                return true;
            }
            if (reply == Reply.FENCE_GONE) {
                throw new FenceClosedException();
            }
            throw new RefusedWriteException(new IllegalStateException(home + " " + fenceRow + ": "
                    + service.rows(account, key) + " refused " + expected + " -> " + version));
        }
        return false;
    }

    private void reader(Process process) {
        String[] keys = SimulatedService.HOMES.keySet().stream().sorted().toArray(String[]::new);
        for (int i = 0; i < 50; i++) {
            think(800, 500);
            try {
                if (random.nextInt(4) == 0 && process.changing()) {
                    scan(process);
                } else {
                    judged(process, keys[random.nextInt(keys.length)]);
                }
            } catch (RingMismatchException | PartitionDeadlineException | PartitionMovingException e) {
                // this process may not use the ring in this phase, or the call ended in time
            }
        }
    }

    /** Reads a partition, and compares it with what was accepted before and attempted until now. */
    private TreeMap<String, Object> judged(Process process, String key) {
        Map<String, Long> least = new HashMap<>(accepted);
        TreeMap<String, Object> rows = process.read(key);
        judge(key, rows, least);
        return rows;
    }

    private void judge(String key, TreeMap<String, Object> rows, Map<String, Long> least) {
        reads++;
        for (int i = 0; i < 4; i++) {
            String row = "w" + i;
            long version = (Long) rows.getOrDefault(row, 0L);
            assertThat(version)
                    .as("%s of %s, last accepted", row, key)
                    .isGreaterThanOrEqualTo(least.getOrDefault(key + row, 0L))
                    .isLessThanOrEqualTo(attempted.getOrDefault(key + row, 0L));
            if (version > 2) {
                assertThat(rows.get(row + "x"))
                        .as("the other half of %s of %s", row, key)
                        .isEqualTo(version % 3 == 0 ? null : version);
            }
            // What was read once stays readable.
            accepted.merge(key + row, version, Math::max);
        }
    }

    /** Finds the partitions by the rows of all accounts, and reads each where it is. */
    private void scan(Process process) {
        Map<String, Long> least = new HashMap<>(accepted);
        Set<String> found = new TreeSet<>();
        for (String account : SimulatedService.ACCOUNTS) {
            process.link.begin(LONGEST);
            String after = null;
            List<String> some = process.link.partitions(account, after);
            while (!some.isEmpty()) {
                found.addAll(some);
                after = some.get(some.size() - 1);
                some = process.link.partitions(account, after);
            }
        }
        for (String key : SimulatedService.HOMES.keySet()) {
            if (found.contains(key)) {
                judge(key, process.read(key), least);
            } else {
                judge(key, new TreeMap<>(), least);
            }
        }
    }

    private void ended(RingEpoch home) {
        for (String key : SimulatedService.HOMES.keySet()) {
            for (String account : SimulatedService.ACCOUNTS) {
                TreeMap<String, Object> rows = service.rows(account, key);
                if (account.equals(account(home, key))) {
                    assertThat(SimulatedService.entities(rows))
                            .as("%s in %s", key, account)
                            .isEqualTo(rows);
                    judge(key, rows, accepted);
                } else {
                    assertThat(rows).as("%s in %s", key, account).isEmpty();
                }
            }
        }
    }
}
