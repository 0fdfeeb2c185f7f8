package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.Stowline;
import io.stowline.blob.BlobInfo;
import io.stowline.error.DeadlineExceededException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageUnavailableException;
import io.stowline.retry.Backoff;
import io.stowline.ring.RingContainer;
import io.stowline.ring.RingMismatchException;
import io.stowline.ring.RingMove;
import io.stowline.ring.StowlineRing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An account joins a ring of two accounts of the emulator, while applications upload, delete, read and list blobs. */
class RingContainerMoveIT {

    private static final String CONTAINER = "pictures";
    private static final int BLOBS = 20;
    private static final int WRITERS = 2;
    private static final Duration CHECK = Duration.ofMillis(200);

    /** The deadline of a call, which read-backs of lost responses take as a whole now and then. */
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    private static final Duration LONGEST = DEADLINE.plusSeconds(1);

    /** The last operation of each blob that was accepted; every fifth one is a deletion. */
    private final Map<String, Long> accepted = new ConcurrentHashMap<>();

    private final Map<String, Long> attempted = new ConcurrentHashMap<>();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final CountDownLatch begun = new CountDownLatch(100);
    private final AtomicLong reads = new AtomicLong();
    private final AtomicLong lists = new AtomicLong();
    private EmulatedAccounts accounts;
    private StowlineRing before;
    private StowlineRing changing;
    private StowlineRing calling;
    private StowlineRing after;

    @BeforeEach
    void connect() {
        accounts = new EmulatedAccounts(3);
        before = StowlineRing.of(r -> with(r, "a0", "a1"));
        changing = StowlineRing.of(r -> with(r, "a0", "a1").joining("a2", client("a2"), a -> a));
        // No call of an application lasts longer than a move waits for.
        calling = StowlineRing.of(r -> {
            List.of("a0", "a1").forEach(name -> r.account(name, client(name, DEADLINE), a -> a));
            return r.checkEvery(CHECK).joining("a2", client("a2", DEADLINE), a -> a);
        });
        after = StowlineRing.of(r -> with(r, "a0", "a1", "a2"));
        before.container(CONTAINER).createIfMissing();
    }

    private StowlineRing.Builder with(StowlineRing.Builder ring, String... names) {
        for (String name : names) {
            ring.account(name, client(name), a -> a);
        }
        return ring.checkEvery(CHECK);
    }

    /** A short server-side limit ends the time in which a lost request may still arrive. */
    private UnaryOperator<Stowline.Builder> client(String name, Duration deadline) {
        return client -> accounts.client(name).apply(client).retry(retry -> retry.serverTimeout(Duration.ofSeconds(1))
                .backoff(Backoff.fixed(Duration.ofMillis(1)))
                .deadline(deadline));
    }

    private UnaryOperator<Stowline.Builder> client(String name) {
        return client(name, Duration.ofMinutes(2));
    }

    @AfterEach
    void disconnect() {
        accounts.proxy().clear();
        List.of(before, changing, calling, after).forEach(StowlineRing::close);
        accounts.close();
    }

    private RingMove move() {
        return changing.move().container(CONTAINER).longestCall(LONGEST);
    }

    private static boolean isDeletion(long operation) {
        return operation % 5 == 0;
    }

    /** Each blob has one writer, whose operations have growing numbers. */
    private void writer(RingContainer container, int number) {
        Random random = new Random(number);
        while (!stopped.get()) {
            String blob = "b" + (random.nextInt(BLOBS / WRITERS) * WRITERS + number);
            long operation = attempted.merge(blob, 1L, Long::sum);
            try {
                if (isDeletion(operation)) {
                    container.deleteIfExists(blob);
                } else {
                    container.upload(Long.toString(operation).getBytes(UTF_8), blob, with -> with.overwrite()
                            .metadata(Map.of("operation", Long.toString(operation)))
                            .tags(Map.of("operation", Long.toString(operation))));
                }
                accepted.put(blob, operation);
                begun.countDown();
            } catch (OutcomeUnknownException | DeadlineExceededException e) {
                // either version may be there
            }
        }
    }

    private void reader(RingContainer container) {
        Random random = new Random(WRITERS);
        while (!stopped.get()) {
            String blob = "b" + random.nextInt(BLOBS);
            long least = accepted.getOrDefault(blob, 0L);
            try {
                judge(blob, new String(container.download(blob), UTF_8), least);
                reads.incrementAndGet();
            } catch (NotFoundException e) {
                judge(blob, null, least);
            } catch (PreconditionFailedException | StorageUnavailableException e) {
                // changed between its pages, in any container; or its deadline, which is short, on a busy machine
            }
        }
    }

    /** Lists all accounts: no blob twice, and each one without deletions since is there. */
    private void lister(RingContainer container) {
        while (!stopped.get()) {
            Map<String, Long> least = Map.copyOf(accepted);
            Set<String> found = new HashSet<>();
            List<BlobInfo> listed;
            try (var blobs = container.stream()) {
                listed = blobs.toList();
            } catch (StorageUnavailableException e) {
                continue;
            }
            for (BlobInfo blob : listed) {
                assertThat(found.add(blob.name())).as(blob.name()).isTrue();
                assertThat(blob.metadata()).containsOnlyKeys("operation");
                judge(blob.name(), blob.metadata().get("operation"), least.getOrDefault(blob.name(), 0L));
            }
            least.forEach((blob, operation) -> {
                if (!found.contains(blob)) {
                    judge(blob, null, operation);
                }
            });
            lists.incrementAndGet();
        }
    }

    private void judge(String blob, String content, long least) {
        long last = attempted.getOrDefault(blob, 0L);
        if (content == null) {
            assertThat(last / 5 * 5)
                    .as("%s is absent, %d to %d", blob, least, last)
                    .isGreaterThanOrEqualTo(least);
        } else {
            assertThat(Long.parseLong(content)).as(blob).isBetween(least, last);
        }
    }

    private List<Future<?>> applications(ExecutorService threads) {
        List<Future<?>> all = new ArrayList<>();
        RingContainer container = calling.container(CONTAINER);
        for (int i = 0; i < WRITERS; i++) {
            int number = i;
            all.add(threads.submit(() -> writer(container, number)));
        }
        all.add(threads.submit(() -> reader(container)));
        all.add(threads.submit(() -> lister(container)));
        return all;
    }

    /** Lists each account by its client: every blob is in its home, without a stage. */
    private void witness() {
        Map<String, String> places = new ConcurrentHashMap<>();
        for (String account : accounts.names()) {
            try (var blobs = changing.client(account).container(CONTAINER).stream()) {
                blobs.forEach(blob -> {
                    assertThat(places.put(blob.name(), account)).isNull();
                    assertThat(after.accountOf(blob.name())).isEqualTo(account);
                    assertThat(changing.client(account).container(CONTAINER).tags(blob.name()))
                            .isEqualTo(blob.metadata());
                    assertThat(blob.metadata()).containsOnlyKeys("operation");
                    judge(blob.name(), blob.metadata().get("operation"), accepted.getOrDefault(blob.name(), 0L));
                });
            }
        }
        accepted.forEach((blob, operation) -> {
            if (!places.containsKey(blob)) {
                judge(blob, null, operation);
            }
        });
        assertThat(places).containsValue("a2");
    }

    /** Ends a mover in the middle of its work. */
    private void killed(int millis) throws InterruptedException {
        Thread mover = new Thread(() -> {
            try {
                move().run();
            } catch (RuntimeException e) {
                // its end
            }
        });
        mover.start();
        mover.join(millis);
        mover.interrupt();
        mover.join();
    }

    @Test
    @DisplayName(
            "RING-9: with lost responses and killed movers an account joins beside applications, and no blob is lost")
    void joins() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<?>> applications = applications(threads);
        assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
        accounts.proxy().when(requests().method("PUT").every(13)).loseResponse();
        accounts.proxy().when(requests().method("GET").every(37)).loseResponse();

        killed(2_900);
        killed(2_000);
        move().run();
        move().rollback();
        move().run();

        stopped.set(true);
        for (Future<?> application : applications) {
            application.get(2, TimeUnit.MINUTES);
        }
        accounts.proxy().clear();
        assertThat(move().verify().isComplete()).isTrue();
        assertThat(after.container(CONTAINER).stream())
                .allMatch(blob -> blob.metadata().containsKey("operation"));
        move().finish();
        witness();
        assertThatThrownBy(() -> before.container(CONTAINER).find("b1")).isInstanceOf(RingMismatchException.class);
        assertThat(reads.get()).isPositive();
        assertThat(lists.get()).isPositive();
        assertThat(accounts.refusals().values())
                .as("what Azure would have refused")
                .allMatch(count -> count == 0);
        threads.shutdown();
    }
}
