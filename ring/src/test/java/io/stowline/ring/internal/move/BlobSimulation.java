package io.stowline.ring.internal.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.BlobHeaders;
import io.stowline.blob.BlobInfo;
import io.stowline.error.ConflictException;
import io.stowline.error.FailureDetails;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.ring.PartitionMovingException;
import io.stowline.ring.RingMismatchException;
import io.stowline.ring.internal.blob.BlobFence;
import io.stowline.ring.internal.blob.BlobMover;
import io.stowline.ring.internal.blob.BlobPlace;
import io.stowline.ring.internal.blob.BlobStage;
import io.stowline.ring.internal.blob.BlobStore;
import io.stowline.ring.internal.move.SimulatedService.Link;
import io.stowline.ring.internal.move.SimulatedService.PartitionDeadlineException;
import io.stowline.ring.internal.move.SimulatedService.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A container of a ring that changes, while applications upload, delete and read, and movers start, fail and are replaced. Each blob has one
 * writer, whose operations have numbers, so every read can be judged.
 */
final class BlobSimulation extends ChangeSimulation {

    /** A part of the protocol that is left out, to see that the oracles notice it. */
    enum BlobBreak {
        NONE,
        NO_VERSIONS,
        NO_COPY_VERSIONS,
        NEW_FIRST,
        NO_QUIET
    }

    /** A blob as it is stored; its content is the number of an operation. */
    private record SimulatedBlob(long content, BlobStage stage, long term, boolean marked, String etag) {}

    private final BlobBreak broken;
    private final Map<String, SimulatedBlob> blobs = new TreeMap<>();
    private final Map<String, Long> accepted = new HashMap<>();
    private final Map<String, List<Boolean>> deletions = new HashMap<>();
    private long etags;

    BlobSimulation(long seed, BlobBreak broken) {
        super(seed, SimulatedService.Break.NONE, broken != BlobBreak.NO_QUIET);
        this.broken = broken;
    }

    @Override
    List<PartitionStore> tables(Link link) {
        return List.of();
    }

    @Override
    List<ContainerMover> containers(Link link) {
        return List.of(new BlobMover(new BlobLink(link)));
    }

    private static String key(RingEpoch home, String blob) {
        return account(home, blob) + "/" + blob;
    }

    private static FailureDetails failure(String blob) {
        return new FailureDetails(
                "write", blob, 412, null, "refused", 1, 0, Duration.ZERO, null, "id", null, "refused");
    }

    private static String etag(@Nullable SimulatedBlob blob) {
        return blob == null ? "" : blob.etag();
    }

    /** The service of blobs for one process. */
    private final class BlobLink implements BlobStore {

        private final Link link;

        BlobLink(Link link) {
            this.link = link;
        }

        private boolean change(String key, String etag, @Nullable SimulatedBlob to) {
            return link.put(() -> replaced(key, etag, to));
        }

        private boolean replaced(String key, String etag, @Nullable SimulatedBlob to) {
            if (!etag(blobs.get(key)).equals(etag)) {
                return false;
            }
            store(key, to);
            return true;
        }

        private void store(String key, @Nullable SimulatedBlob to) {
            if (to == null) {
                blobs.remove(key);
            } else {
                blobs.put(
                        key,
                        new SimulatedBlob(to.content(), to.stage(), to.term(), to.marked(), "\"" + etags++ + "\""));
            }
        }

        @Override
        public String name() {
            return "container";
        }

        @Override
        public @Nullable BlobPlace find(RingEpoch home, String blob) {
            link.turn();
            SimulatedBlob there = blobs.get(key(home, blob));
            return there == null
                    ? null
                    : new BlobPlace(
                            new BlobInfo(
                                    blob,
                                    there.content(),
                                    there.etag(),
                                    Instant.EPOCH,
                                    null,
                                    BlobHeaders.none(),
                                    null,
                                    Map.of()),
                            there.stage(),
                            there.term());
        }

        @Override
        public boolean mark(RingEpoch home, String blob, @Nullable BlobPlace from, BlobStage stage, long term) {
            return change(
                    key(home, blob),
                    from == null ? "" : from.etag(),
                    new SimulatedBlob(
                            from == null ? -1 : from.info().size(),
                            stage,
                            stage == BlobStage.OPEN ? 0 : term,
                            true,
                            ""));
        }

        @Override
        public boolean copy(
                RingEpoch from, BlobPlace source, RingEpoch to, BlobPlace target, BlobStage stage, long term) {
            String blob = source.info().name();
            link.turn();
            if (!etag(blobs.get(key(from, blob))).equals(source.etag())) {
                return false;
            }
            link.turn();
            SimulatedBlob copy =
                    new SimulatedBlob(source.info().size(), stage, stage == BlobStage.OPEN ? 0 : term, false, "");
            return link.put(() -> {
                boolean any = broken == BlobBreak.NO_COPY_VERSIONS;
                return replaced(key(to, blob), any ? etag(blobs.get(key(to, blob))) : target.etag(), copy);
            });
        }

        @Override
        public boolean remove(RingEpoch home, BlobPlace version) {
            return change(key(home, version.info().name()), version.etag(), null);
        }

        @Override
        public void createIfMissing() {
            link.turn();
        }

        @Override
        public List<String> accounts() {
            return SimulatedService.ACCOUNTS;
        }

        @Override
        public List<String> blobs(String account, @Nullable String after) {
            link.turn();
            return SimulatedService.HOMES.keySet().stream()
                    .sorted()
                    .filter(blob -> after == null || blob.compareTo(after) > 0)
                    .filter(blob -> blobs.containsKey(account + "/" + blob))
                    .limit(2)
                    .toList();
        }

        @Override
        public boolean moves(String account, String blob) {
            return ChangeSimulation.moves(blob)
                    && SimulatedService.HOMES.get(blob).contains(account);
        }

        /** Sends a write as the client does: repeats it after a lost response, and reads back when the repetition is refused. */
        boolean write(RingEpoch home, String blob, @Nullable BlobPlace version, @Nullable Long content) {
            String key = key(home, blob);
            String etag = version == null ? "" : version.etag();
            SimulatedBlob to = content == null ? null : new SimulatedBlob(content, BlobStage.OPEN, 0, false, "");
            boolean lost = false;
            for (int i = 0; i < 3; i++) {
                Reply reply =
                        link.send(() -> replaced(key, broken == BlobBreak.NO_VERSIONS ? etag(blobs.get(key)) : etag, to)
                                ? Reply.APPLIED
                                : Reply.REFUSED);
                if (reply == Reply.APPLIED) {
                    return true;
                }
                if (reply == Reply.LOST) {
                    lost = true;
                    continue;
                }
                SimulatedBlob there = blobs.get(key);
                if (lost
                        && (content == null
                                ? there == null
                                : there != null && there.content() == content && !there.marked())) {
                    return true;
                }
                throw version == null
                        ? new ConflictException(failure(blob), null)
                        : new PreconditionFailedException(failure(blob), null);
            }
            return false;
        }
    }

    /** A process with its own link and check. */
    private final class BlobProcess {
        private final Link link = service.new Link(0);
        private final BlobLink store = new BlobLink(link);
        private final DescriptionCheck check;
        private final boolean changing;
        private final RingEpoch home;
        private final BlobFence fence;

        BlobProcess(String before, String after) {
            this.check = new DescriptionCheck(before, after, link, threads, CHECKED);
            this.changing = !before.equals(after);
            this.home = before.equals(NEW_RING) ? RingEpoch.NEW : RingEpoch.OLD;
            this.fence = new BlobFence(store, this::description, threads, LONGEST);
        }

        private RingDescription description(String blob) {
            check.of(
                    account(RingEpoch.NEW, blob).equals("c") && home == RingEpoch.OLD && !changing
                            ? account(RingEpoch.OLD, blob)
                            : account(RingEpoch.NEW, blob));
            return check.of(account(home == RingEpoch.NEW ? RingEpoch.NEW : RingEpoch.OLD, blob));
        }

        private boolean fenced(String blob) {
            return changing && store.moves(account(RingEpoch.OLD, blob), blob);
        }

        private boolean plain(RingEpoch at, String blob, @Nullable Long content) {
            return store.write(at, blob, store.find(at, blob), content);
        }

        /** Writes, or deletes without a content. Returns false if the outcome is unknown. */
        boolean write(String blob, boolean create, @Nullable Long content) {
            link.begin(LONGEST);
            if (!fenced(blob)) {
                description(blob);
                return plain(home, blob, content);
            }
            return fence.write(blob, true, at -> plain(at, blob, content), (at, version) -> {
                if (version == null && content == null) {
                    throw new NotFoundException(failure(blob), null);
                }
                return store.write(at, blob, create ? null : version, content);
            });
        }

        long read(String blob) {
            link.begin(LONGEST);
            if (!fenced(blob)) {
                description(blob);
                return plain(home, blob);
            }
            if (broken == BlobBreak.NEW_FIRST && description(blob).phase().fenced()) {
                long there = plain(RingEpoch.NEW, blob);
                return there == 0 ? plain(RingEpoch.OLD, blob) : there;
            }
            return fence.read(blob, at -> plain(at, blob), (at, version) -> {
                link.turn();
                SimulatedBlob there = blobs.get(key(at, blob));
                if (!etag(there).equals(version == null ? "" : version.etag())
                        && (version != null || (there != null && there.stage() == BlobStage.OPEN))) {
                    throw new PreconditionFailedException(failure(blob), null);
                }
                return version == null ? 0 : there.content();
            });
        }

        private long plain(RingEpoch at, String blob) {
            BlobPlace place = store.find(at, blob);
            return place == null || place.stage() != BlobStage.OPEN
                    ? 0
                    : place.info().size();
        }
    }

    void run() {
        for (String blob : SimulatedService.HOMES.keySet()) {
            deletions.put(blob, new ArrayList<>(List.of(true)));
            accepted.put(blob, 0L);
            if (random.nextBoolean()) {
                deletions.get(blob).add(false);
                accepted.put(blob, 1L);
                blobs.put(key(RingEpoch.OLD, blob), new SimulatedBlob(1, BlobStage.OPEN, 0, false, "\"first\""));
            }
        }
        service.describe(OLD_RING, List.of("a", "b"));
        for (String blob : SimulatedService.HOMES.keySet()) {
            int kind = random.nextInt(6);
            String before = kind == 4 ? NEW_RING : OLD_RING;
            String after = kind == 3 ? OLD_RING : NEW_RING;
            start("writer " + blob, () -> writer(new BlobProcess(before, after), blob));
        }
        for (int i = 0; i < 2; i++) {
            String before = random.nextInt(5) == 0 ? NEW_RING : OLD_RING;
            start("reader " + i, () -> reader(new BlobProcess(before, NEW_RING)));
        }
        boolean back = random.nextInt(3) == 0;
        start("move", () -> {
            move(random.nextInt(4) == 0);
            while (random.nextInt(2) == 0) {
                move(random.nextBoolean());
            }
            awaitOtherMovers();
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

    private void last(boolean back) {
        if (back) {
            mover(0).rollback();
            return;
        }
        mover(0).run();
        threads.await(Duration.ofMillis(random.nextInt(3_000)));
        if (random.nextBoolean()) {
            awaitProcesses();
        }
        mover(0).finish();
    }

    private void writer(BlobProcess process, String blob) {
        boolean open = false;
        int refusals = 0;
        for (int i = 0; i < 40 && refusals < 12; i++) {
            think(1_200, 300);
            // late duplicates of the write before have arrived
            threads.await(SimulatedService.HORIZON.plusMillis(20));
            List<Boolean> operations = deletions.get(blob);
            boolean absent = operations.get(operations.size() - 1);
            boolean create = absent && !open && random.nextBoolean();
            boolean delete = !create && random.nextInt(3) == 0;
            long number = operations.size();
            operations.add(delete);
            try {
                if (process.write(blob, create, delete ? null : number)) {
                    accepted.put(blob, number);
                    open = false;
                } else {
                    open = true;
                }
            } catch (RingMismatchException e) {
                refusals++;
                open = true;
            } catch (ConflictException e) {
                if (create && !open) {
                    throw new AssertionError("a creation was refused although there was no blob", e);
                }
                open = true;
            } catch (NotFoundException
                    | PreconditionFailedException
                    | OutcomeUnknownException
                    | PartitionDeadlineException
                    | PartitionMovingException e) {
                open = true;
            }
        }
    }

    private void reader(BlobProcess process) {
        String[] names = SimulatedService.HOMES.keySet().stream().sorted().toArray(String[]::new);
        for (int i = 0; i < 60; i++) {
            think(600, 300);
            String blob = names[random.nextInt(names.length)];
            long least = accepted.get(blob);
            try {
                long content = process.read(blob);
                judge(blob, content, least);
                if (content > accepted.get(blob)) {
                    accepted.put(blob, content);
                }
            } catch (RingMismatchException
                    | PartitionDeadlineException
                    | PartitionMovingException
                    | PreconditionFailedException e) {
                // this process may not use the ring in this phase, or the call ended in time
            }
        }
    }

    private void judge(String blob, long content, long least) {
        reads++;
        List<Boolean> operations = deletions.get(blob);
        if (content == 0) {
            assertThat(operations.subList((int) least, operations.size()))
                    .as("%s is absent after %s", blob, least)
                    .contains(true);
        } else {
            assertThat(content).as(blob).isBetween(least, operations.size() - 1L);
        }
    }

    private void ended(RingEpoch home) {
        for (String blob : SimulatedService.HOMES.keySet()) {
            for (String account : SimulatedService.ACCOUNTS) {
                SimulatedBlob there = blobs.get(account + "/" + blob);
                if (account.equals(account(home, blob))) {
                    assertThat(there == null || there.stage() == BlobStage.OPEN)
                            .as("%s %s", blob, there)
                            .isTrue();
                    judge(blob, there == null ? 0 : there.content(), accepted.get(blob));
                } else {
                    assertThat(there).as("%s in %s", blob, account).isNull();
                }
            }
        }
    }
}
