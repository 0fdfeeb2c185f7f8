package io.stowline.ring.internal.move;

import io.stowline.ring.RingMoveSupersededException;
import io.stowline.ring.internal.move.SimulatedService.Break;
import io.stowline.ring.internal.move.SimulatedService.Link;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** A ring that changes in virtual time: its service, its processes, and movers that start, fail and are replaced. */
abstract class ChangeSimulation {

    static final Duration LONGEST = Duration.ofSeconds(1);
    static final Duration CHECKED = Duration.ofMillis(300);
    static final String OLD_RING = "a,b";
    static final String NEW_RING = "a,b,c";
    private static final Duration QUIET =
            LONGEST.plus(CHECKED).plus(SimulatedService.HORIZON).plusMillis(50);

    final VirtualThreads threads;
    final SimulatedService service;
    final Random random;
    private final Duration quiet;
    private boolean passing;
    private int movers;
    private int processes;
    private int moves;
    int reads;

    ChangeSimulation(long seed, Break broken, boolean isQuiet) {
        this.threads = new VirtualThreads(seed);
        this.random = threads.random();
        this.service = new SimulatedService(threads, broken, random.nextInt(4) == 0 ? 0 : random.nextInt(200));
        this.quiet = isQuiet ? QUIET : Duration.ZERO;
    }

    /** Returns the tables that the movers of a link move. */
    abstract List<PartitionStore> tables(Link link);

    /** Returns the containers that the movers of a link move. */
    abstract List<ContainerMover> containers(Link link);

    /** Returns how many partitions or blobs the movers moved. */
    final int moves() {
        return moves;
    }

    /** Returns how many reads were judged. */
    final int reads() {
        return reads;
    }

    static String account(RingEpoch home, String key) {
        return SimulatedService.HOMES.get(key).get(home.ordinal());
    }

    static boolean moves(String key) {
        List<String> homes = SimulatedService.HOMES.get(key);
        return !homes.get(0).equals(homes.get(1));
    }

    final void start(String name, Runnable work) {
        boolean mover = name.endsWith("move");
        movers += mover ? 1 : 0;
        processes += mover ? 0 : 1;
        threads.start(name, () -> {
            try {
                work.run();
            } finally {
                movers -= mover ? 1 : 0;
                processes -= mover ? 0 : 1;
            }
        });
    }

    final RingMover mover(int kills) {
        Link link = service.new Link(kills);
        MovePause pause = new MovePause() {
            @Override
            public long nanos() {
                return threads.nanos();
            }

            @Override
            public void await(Duration time) {
                passing = false;
                threads.await(time);
                passing = true;
            }
        };
        return new RingMover(
                OLD_RING,
                NEW_RING,
                link,
                tables(link),
                containers(link),
                pause,
                quiet,
                1,
                () -> {},
                visit -> moves += visit.moved() ? 1 : 0);
    }

    /** Moves, perhaps killed on the way and started again. */
    final void move(boolean back) {
        int kills = 1 + random.nextInt(30);
        for (int tries = 0; tries < 3; tries++) {
            try {
                if (back) {
                    mover(kills).rollback();
                } else {
                    mover(kills).run();
                }
                return;
            } catch (VirtualThreads.KilledError e) {
                threads.await(Duration.ofMillis(1 + random.nextInt(500)));
            } catch (RingMoveSupersededException e) {
                return;
            }
        }
    }

    final void awaitOtherMovers() {
        while (movers > 1) {
            threads.await(LONGEST);
        }
    }

    final void awaitProcesses() {
        while (processes > 0) {
            threads.await(LONGEST);
        }
    }

    /** Waits as an application does between two calls, less while a mover passes over the partitions. */
    final void think(int longest, int hurry) {
        int millis = random.nextInt(longest);
        while (millis > 0) {
            threads.await(Duration.ofMillis(30));
            millis -= passing ? hurry : 30;
        }
    }
}
