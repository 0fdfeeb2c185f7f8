package io.stowline.journal.internal.spool;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.journal.JournalException;
import io.stowline.journal.internal.folder.Durability;
import io.stowline.journal.internal.spool.FaultyDisk.Fault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;

/** Crashes before each change of the disk, with refusals of the disk in between. */
class SpoolCrashTest {

    private static final int STEPS = 60;

    @Property(tries = 15)
    @Label(
            "RECORD-1: after a kill at any write all that was accepted is there, once and in order, and nothing that was refused")
    void survivesKills(@ForAll long seed) {
        new Play(seed, Durability.PROCESS).run();
    }

    @Property(tries = 15)
    @Label(
            "RECORD-1: after a power cut at any write all that was forced is there, once and in order, and nothing that was refused")
    void survivesPowerCuts(@ForAll long seed) {
        new Play(seed, Durability.MACHINE).run();
    }

    /** A stream as it has to be found. */
    private static final class Expected {
        final List<String> accepted = new ArrayList<>();
        final List<String> unknown = new ArrayList<>();
        final Set<String> seals = new HashSet<>(Set.of("null"));
        boolean mayBeGone = true;
        boolean mustBeGone;
    }

    private static final class Play {

        private final Random random;
        private final Durability durability;
        private final FaultyDisk disk = new FaultyDisk();
        private final Path folder = Spools.temporary();
        private final TreeMap<String, Expected> streams = new TreeMap<>();
        private final TreeMap<String, SpoolFile> files = new TreeMap<>();
        private Spool spool;
        private int numbers = 100_000;
        private int checks;

        Play(long seed, Durability durability) {
            this.random = new Random(seed);
            this.durability = durability;
            this.spool = Spools.open(folder, durability, disk);
            disk.before(this::crash);
        }

        void run() {
            for (int i = 0; i < STEPS; i++) {
                if (random.nextInt(4) == 0) {
                    Fault[] all = {Fault.WRITE, Fault.SYNC, Fault.TRUNCATE, Fault.CREATE, Fault.FORCE};
                    disk.fail(all[random.nextInt(all.length)]);
                }
                step();
                disk.repair();
            }
            spool.close();
            disk.before(() -> {});
            check(spool(folder), false);
            Spools.delete(folder);
            assertThat(checks).isPositive();
        }

        private Spool spool(Path place) {
            return Spools.open(place, durability, SpoolDisk.SYSTEM);
        }

        private void step() {
            int kind = random.nextInt(20);
            if (files.isEmpty() || kind == 0) {
                create();
            } else if (kind == 1) {
                reopen();
            } else {
                String name = List.copyOf(files.keySet()).get(random.nextInt(files.size()));
                if (kind < 14) {
                    write(name);
                } else if (kind < 18) {
                    seal(name);
                } else {
                    delete(name);
                }
            }
        }

        private void create() {
            String name = "stream-" + numbers++;
            streams.put(name, new Expected());
            try {
                files.put(name, spool.create(Spools.bytes(name)));
            } catch (JournalException refused) {
                streams.get(name).mustBeGone = true;
            }
        }

        private void write(String name) {
            Expected expected = streams.get(name);
            String record = name + "-" + numbers++ + "x".repeat(random.nextInt(300));
            expected.unknown.add(record);
            try {
                Spools.write(files.get(name), record);
                expected.accepted.add(record);
                expected.mayBeGone = false;
            } catch (JournalException refused) {
                // Refused for good where the file could be cut; until then a crash may bring it back.
            }
            if (!files.get(name).isBroken()) {
                expected.unknown.clear();
            }
        }

        private void seal(String name) {
            Expected expected = streams.get(name);
            String seal = "seal-" + numbers++;
            expected.seals.add(seal);
            try {
                files.get(name).seal(Spools.bytes(seal));
                expected.seals.clear();
                expected.seals.add(seal);
                expected.unknown.clear();
            } catch (JournalException refused) {
                // The one before counts, or this one where it could not be cut off.
            }
        }

        private void delete(String name) {
            Expected expected = streams.get(name);
            expected.mayBeGone = true;
            files.remove(name).delete();
            expected.mustBeGone = true;
        }

        private void reopen() {
            spool.close();
            for (Expected each : streams.values()) {
                each.mayBeGone |= each.accepted.isEmpty();
            }
            disk.repair();
            spool = Spools.open(folder, durability, disk);
            files.clear();
            for (SpoolFile file : spool.found()) {
                String name = new String(file.head(), StandardCharsets.UTF_8);
                files.put(name, file);
                Expected expected = streams.get(name);
                List<String> found = Spools.records(file);
                assertThat(expected.unknown).containsAll(found.subList(expected.accepted.size(), found.size()));
                expected.accepted.clear();
                expected.accepted.addAll(found);
                expected.unknown.clear();
                expected.mayBeGone = false;
            }
        }

        private void crash() {
            if (random.nextInt(3) != 0) {
                return;
            }
            Path left = Spools.temporary();
            if (durability == Durability.PROCESS) {
                Spools.copy(folder, left);
            } else {
                try {
                    disk.leaveForced(left);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            check(spool(left), true);
            Spools.delete(left);
        }

        private void check(Spool after, boolean killed) {
            checks++;
            Set<String> there = new HashSet<>();
            for (SpoolFile file : after.found()) {
                String name = new String(file.head(), StandardCharsets.UTF_8);
                there.add(name);
                Expected expected = streams.get(name);
                assertThat(expected.mustBeGone).as("%s is deleted", name).isFalse();
                List<String> found = Spools.records(file);
                int accepted = expected.accepted.size();
                assertThat(found.subList(0, Math.min(accepted, found.size()))).isEqualTo(expected.accepted);
                List<String> further = found.subList(accepted, found.size());
                assertThat(expected.unknown).containsAll(further);
                assertThat(further).doesNotHaveDuplicates();
                byte[] seal = file.seal();
                assertThat(expected.seals).contains(seal == null ? "null" : new String(seal, StandardCharsets.UTF_8));
            }
            streams.forEach(
                    (name, expected) -> assertThat(there.contains(name) || expected.mayBeGone || expected.mustBeGone)
                            .as("%s is there, killed: %s", name, killed)
                            .isTrue());
            after.close();
        }
    }
}
