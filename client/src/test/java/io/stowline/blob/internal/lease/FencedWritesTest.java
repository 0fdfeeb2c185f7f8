package io.stowline.blob.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobLease;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.FencedBlob;
import io.stowline.blob.LeaderTerm;
import io.stowline.blob.LeaseLostException;
import io.stowline.blob.ReactiveFencedBlob;
import io.stowline.blob.internal.lease.HeldUploads.Hold;
import io.stowline.error.DeadlineExceededException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.retry.Backoff;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Terms and the blobs that they fence, over an account in memory whose responses are lost. */
@Timeout(60)
class FencedWritesTest {

    private static final byte[] FEW = {1, 2, 3};
    private static final String STATE = "/photos/state";
    private static final String LEADER = "/photos/leader";

    private final MemoryStorage memory = MemoryStorage.create();
    private final HeldUploads wire = new HeldUploads(memory.httpClient(), STATE);
    private final Stowline storage = Stowline.builder()
            .connectionString(memory.connectionString())
            .httpClient(wire)
            .retry(retry -> retry.backoff(Backoff.fixed(Duration.ofMillis(1))))
            .build();
    private final BlobContainer photos = storage.container("photos");

    @BeforeEach
    void make() {
        photos.create();
    }

    @AfterEach
    void close() {
        storage.close();
    }

    private String term(String blob) {
        return photos.info(blob).metadata().get("stowlineterm");
    }

    @Test
    @DisplayName("LEASE-2: the number of a term is in the fenced blob, beside the metadata that it had")
    void writesTheNumber() {
        photos.upload(FEW, "state", with -> with.metadata(Map.of("a", "b")));
        photos.leader("leader").whileLeading(term -> {
            FencedBlob state = term.fence(photos, "state");
            assertThat(state.name()).isEqualTo("state");
            assertThat(photos.info("state").metadata()).containsEntry("a", "b").containsEntry("stowlineterm", "1");
            assertThat(photos.download("state")).isEqualTo(FEW);
        });

        assertThat(term("leader")).isEqualTo("1");
    }

    @Test
    @DisplayName("LEASE-2: a term that finds the number of a later one is over")
    void findsALaterTerm() {
        photos.upload(FEW, "state", with -> with.metadata(Map.of("StowlineTerm", "7")));
        photos.leader("leader").whileLeading(term -> assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> term.fence(photos, "state"))
                .withMessageContaining("term 7 has fenced photos/state"));
        photos.upload(FEW, "other", with -> with.metadata(Map.of("stowlineterm", "x")));
        photos.leader("leader").whileLeading(term -> assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> term.fence(photos, "other"))
                .withMessageContaining("'x', not the number of a term"));
    }

    @Test
    @DisplayName("LEASE-2: another writer's version is not overwritten")
    void refusesAfterAnotherWriter() {
        photos.leader("leader").whileLeading(term -> {
            FencedBlob state = term.fence(photos, "state");
            photos.upload(new byte[9], "state", with -> with.overwrite());
            assertThatExceptionOfType(PreconditionFailedException.class).isThrownBy(() -> state.upload(FEW));
        });
    }

    @Test
    @DisplayName("LEASE-2, LEASE-3: lost responses at each request of an election and of a fence change nothing")
    void survivesLostResponses() {
        AtomicInteger terms = new AtomicInteger();
        uploaded("leader");
        for (int lost = 0; lost < 5; lost++) {
            memory.loseNextResponse("PUT", LEADER);
            memory.loseNextResponse("PUT", STATE);
            photos.leader("leader").whileLeading(term -> {
                FencedBlob state = term.fence(photos, "state");
                memory.loseNextResponse("PUT", STATE);
                state.upload(FEW);
                state.upload(new byte[terms.get()]);
                memory.loseNextResponse("PUT", LEADER);
                assertThat(term.number()).isGreaterThan(terms.getAndSet((int) term.number()));
            });
        }

        assertThat(term("state")).isEqualTo(Integer.toString(terms.get()));
        assertThat(photos.lease("leader", Duration.ofSeconds(15)).isHeld()).isTrue();
    }

    @Test
    @DisplayName("LEASE-1: work that is cancelled gives its term back, and so does work that throws")
    void givesItsTermBack() throws Exception {
        CountDownLatch leads = new CountDownLatch(1);
        Disposable work = photos.reactive()
                .leader("leader")
                .whileLeading(term -> Mono.never().doOnSubscribe(s -> leads.countDown()))
                .subscribe();
        assertThat(leads.await(20, TimeUnit.SECONDS)).isTrue();
        work.dispose();
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> photos.leader("leader").whileLeading(term -> {
                    throw new IllegalStateException("the work");
                }))
                .withMessage("the work");

        photos.leader("leader").whileLeading(term -> assertThat(term.number()).isEqualTo(3));
    }

    @Test
    @DisplayName("LEASE-2: one try leads with the next number, or finds another leader at once")
    void triesOnce() {
        AtomicInteger terms = new AtomicInteger();
        assertThat(photos.leader("leader").tryLeading(term -> {
                    terms.addAndGet((int) term.number());
                    assertThat(photos.leader("leader").tryLeading(other -> terms.addAndGet(100)))
                            .isFalse();
                    assertThat(photos.reactive()
                                    .leader("leader")
                                    .tryLeading(other -> Mono.fromRunnable(() -> terms.addAndGet(100)))
                                    .block())
                            .isFalse();
                }))
                .isTrue();
        assertThat(terms).hasValue(1);

        assertThat(photos.reactive()
                        .leader("leader")
                        .tryLeading(term -> Mono.fromRunnable(() -> terms.addAndGet((int) term.number())))
                        .block())
                .isTrue();
        assertThat(terms).hasValue(3);
        assertThat(memory.requests())
                .filteredOn(request -> request.contains("comp=lease"))
                .as("acquired, three times refused or missing, acquired, and each term released")
                .hasSize(7);
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> storage.container("missing").leader("leader").tryLeading(term -> {}));
    }

    @Test
    @DisplayName("LEASE-3: lost responses at each request of one try change nothing, and a cancelled one gives its term"
            + " back")
    void triesOnceWithLostResponses() throws Exception {
        uploaded("leader");
        List<Long> numbers = new ArrayList<>();
        for (int lost = 0; lost < 3; lost++) {
            for (int request = 0; request <= lost; request++) {
                memory.loseNextResponse("PUT", LEADER);
            }
            assertThat(photos.leader("leader").tryLeading(term -> numbers.add(term.number())))
                    .isTrue();
        }
        assertThat(numbers).isSorted().doesNotHaveDuplicates();

        CountDownLatch leads = new CountDownLatch(1);
        Disposable work = photos.reactive()
                .leader("leader")
                .tryLeading(term -> Mono.never().doOnSubscribe(s -> leads.countDown()))
                .subscribe();
        assertThat(leads.await(20, TimeUnit.SECONDS)).isTrue();
        work.dispose();
        photos.leader("leader").whileLeading(term -> numbers.add(term.number()));
        assertThat(numbers).isSorted().doesNotHaveDuplicates().hasSize(4);
    }

    @Test
    @DisplayName("LEASE-1: the reactive face shows a term that its release finds lost by the exception of its contract")
    void showsALossAtTheEnd() {
        AtomicReference<BlobLease> other = new AtomicReference<>();
        StepVerifier.create(photos.reactive()
                        .leader("leader")
                        .whileLeading(term -> Mono.fromRunnable(() -> {
                            photos.breakLease("leader", Duration.ZERO);
                            other.set(photos.lease("leader", Duration.ofSeconds(15)));
                        })))
                .expectError(LeaseLostException.class)
                .verify(Duration.ofSeconds(20));

        assertThat(other.get().isHeld()).isTrue();
        other.get().close();
    }

    @Test
    @DisplayName("LEASE-1: an interrupt ends the wait of a candidate")
    void isInterruptible() {
        try (BlobLease other = photos.lease(uploaded("leader"), Duration.ofSeconds(60))) {
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(StorageInterruptedException.class)
                    .isThrownBy(() -> photos.leader("leader").whileLeading(term -> {}));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(other.isHeld()).isTrue();
        }
    }

    private String uploaded(String name) {
        photos.upload(FEW, name);
        return name;
    }

    @Test
    void refusesForeignFaces() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> photos.leader("leader", Duration.ofSeconds(61)))
                .withMessageContaining("lease is 15 s to 60 s");
        try (BlobLease lease = photos.lease(uploaded("leader"), Duration.ofSeconds(15))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> storage.container("videos").withLease(lease))
                    .withMessageContaining("photos/leader");
            assertThat(lease).hasToString("BlobLease[photos/leader]");
        }
    }

    private void whileLeading(Consumer<LeaderTerm> work) {
        photos.leader("leader").whileLeading(work::accept);
    }

    @Test
    @DisplayName("LEASE-2: writes of one term to one blob go one by one, through whichever object")
    void writesOneByOne() {
        whileLeading(term -> {
            List<FencedBlob> same = List.of(
                    term.fence(photos, "state"),
                    term.fence(photos.withRetry(retry -> retry.retries(1)), "state"),
                    term.fence(storage.container("photos"), "state"));
            wire.delays(Duration.ofMillis(5));
            List<CompletableFuture<BlobWriteResult>> uploads = IntStream.range(0, 24)
                    .mapToObj(i -> CompletableFuture.supplyAsync(
                            () -> same.get(i % same.size()).upload(new byte[i])))
                    .toList();
            uploads.forEach(CompletableFuture::join);

            assertThat(wire.mostAtOnce()).isEqualTo(1);
            assertThat(uploads.stream().map(upload -> upload.join().etag()).distinct())
                    .hasSize(24);
        });
    }

    @Test
    @DisplayName("LEASE-2: reactive writes of one term to one blob go one by one; a cancelled one leaves its place")
    void reactiveWritesOneByOne() {
        whileLeading(term -> {
            ReactiveFencedBlob state = term.fence(photos.reactive(), "state").block();
            wire.delays(Duration.ofMillis(50));
            Flux<BlobWriteResult> uploads =
                    Flux.range(0, 5).flatMap(i -> i == 2 ? Mono.empty() : state.upload(new byte[i]));
            Mono<List<BlobWriteResult>> all = uploads.collectList();
            Disposable first = state.upload(FEW).subscribe();
            Disposable waiting = state.upload(FEW).subscribe();
            waiting.dispose();

            assertThat(all.block()).hasSize(4);
            assertThat(first.isDisposed()).isTrue();
            assertThat(wire.mostAtOnce()).isEqualTo(1);
        });
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("LEASE-2: after an interrupted write the next one fences the blob again, so that the first is refused"
            + " from then on")
    void fencesAgainAfterAnInterrupt(Hold hold) {
        whileLeading(term -> {
            FencedBlob state = term.fence(photos, "state");
            wire.holdsNextUpload(hold);
            Thread.currentThread().interrupt();
            interruptedUpload(state);
            wire.holdsNextUpload(hold);
            CompletableFuture<Thread> writer = new CompletableFuture<>();
            CompletableFuture<Void> end = CompletableFuture.runAsync(() -> {
                writer.complete(Thread.currentThread());
                interruptedUpload(state);
            });
            wire.awaitHeld();
            writer.join().interrupt();
            end.join();

            state.upload(new byte[] {7});
            wire.deliversHeld();
            state.upload(new byte[] {8});
            assertThat(photos.download("state")).containsExactly(8);
        });
    }

    private static void interruptedUpload(FencedBlob state) {
        assertThatExceptionOfType(StorageInterruptedException.class).isThrownBy(() -> state.upload(FEW));
        assertThat(Thread.interrupted()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("LEASE-2: after a cancelled write the next one fences the blob again, so that the first is refused"
            + " from then on")
    void fencesAgainAfterACancel(Hold hold) {
        whileLeading(term -> {
            ReactiveFencedBlob state = term.fence(photos.reactive(), "state").block();
            wire.holdsNextUpload(hold);
            Disposable upload = state.upload(FEW).subscribe();
            wire.awaitHeld();
            upload.dispose();

            state.upload(new byte[] {7}).block();
            wire.deliversHeld();
            state.upload(new byte[] {8}).block();
            assertThat(photos.download("state")).containsExactly(8);
        });
    }

    @Test
    @DisplayName("LEASE-2: a write waits for those before it within its deadline; nothing is sent of one that gives up")
    void givesUpWaiting() {
        whileLeading(term -> {
            FencedBlob state = term.fence(photos, "state");
            FencedBlob hurried = term.fence(photos.withRetry(retry -> retry.deadline(Duration.ofSeconds(1))), "state");
            wire.holdsNextUpload(Hold.APPLIED);
            CompletableFuture<Thread> writer = new CompletableFuture<>();
            CompletableFuture<Void> end = CompletableFuture.runAsync(() -> {
                writer.complete(Thread.currentThread());
                interruptedUpload(state);
            });
            wire.awaitHeld();
            int sent = memory.requests().size();
            assertThatExceptionOfType(DeadlineExceededException.class)
                    .isThrownBy(() -> hurried.upload(FEW))
                    .withMessageContaining("behind other fenced writes of the blob");
            assertThat(memory.requests()).hasSize(sent);
            writer.join().interrupt();
            end.join();

            hurried.upload(new byte[] {7});
            assertThat(photos.download("state")).containsExactly(7);
        });
    }

    @Test
    @DisplayName("LEASE-2: after a later term has written, each write is refused, and a fence finds the later term")
    void staysRefused() {
        whileLeading(term -> {
            FencedBlob state = term.fence(photos, "state");
            photos.setMetadata("state", Map.of("stowlineterm", Long.toString(term.number() + 1)));
            for (int i = 0; i < 3; i++) {
                assertThatExceptionOfType(PreconditionFailedException.class).isThrownBy(() -> state.upload(FEW));
            }
            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> term.fence(photos, "state"));
            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> state.upload(FEW));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"-5", "9223372036854775807", "9223372036854775808", "1e3"})
    @DisplayName("LEASE-2: a damaged number is refused by name, and left as it is")
    void refusesDamagedNumbers(String stored) {
        photos.upload(FEW, "leader", with -> with.metadata(Map.of("stowlineterm", stored)));

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> whileLeading(term -> {}))
                .withMessageContaining("stowlineterm of photos/leader is '" + stored + "'");
        assertThat(term("leader")).isEqualTo(stored);
        assertThat(photos.lease("leader", Duration.ofSeconds(15)).isHeld())
                .as("the lease was given back before the failure")
                .isTrue();
    }
}
