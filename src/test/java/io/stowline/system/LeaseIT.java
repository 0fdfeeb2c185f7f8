package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobLease;
import io.stowline.blob.FencedBlob;
import io.stowline.blob.LeaderElection;
import io.stowline.blob.LeaseLostException;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.blob.ReactiveBlobLease;
import io.stowline.error.ClosedException;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

/** Leases of blobs and containers, writes that name them, and leaders. */
@Timeout(60)
class LeaseIT extends StorageTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final byte[] FEW = {1, 2, 3};

    private BlobContainer photos;

    @BeforeEach
    void make() {
        photos = storage.container("l" + UUID.randomUUID().toString().substring(0, 30));
        photos.create();
    }

    @AfterEach
    void remove() {
        if (photos.exists()) {
            photos.dropIfExists();
        }
    }

    @Test
    @DisplayName("LEASE-1: only writes that name the lease change a blob, and its release lets others have it")
    void guardsABlob() {
        photos.upload(FEW, "a.jpg");
        try (BlobLease lease = photos.lease("a.jpg", LEASE)) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.remaining()).isLessThanOrEqualTo(LEASE.minusSeconds(1));
            assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> photos.lease("a.jpg", LEASE));
            assertThatExceptionOfType(PreconditionFailedException.class)
                    .isThrownBy(() -> photos.upload(FEW, "a.jpg", with -> with.overwrite()));
            assertThatExceptionOfType(PreconditionFailedException.class).isThrownBy(() -> photos.delete("a.jpg"));

            BlobContainer guarded = photos.withLease(lease);
            guarded.upload(
                    new byte[3_000_000], "a.jpg", with -> with.overwrite().blockSize(1 << 20));
            guarded.setMetadata("a.jpg", Map.of("a", "b"));
            guarded.setHeaders("a.jpg", headers -> headers.contentType("image/jpeg"));
            guarded.setTags("a.jpg", Map.of("c", "d"));
            guarded.snapshot("a.jpg");
            assertThat(guarded.download("a.jpg")).hasSize(3_000_000);
            guarded.deleteWithSnapshots("a.jpg");
        }
        photos.upload(FEW, "a.jpg");
        photos.lease("a.jpg", LEASE).release();
        photos.delete("a.jpg");
    }

    @Test
    @DisplayName("LEASE-1: a container with a lease is dropped by its holder only")
    void guardsAContainer() {
        BlobLease lease = photos.lease(BlobLease.INFINITE);
        assertThatExceptionOfType(PreconditionFailedException.class).isThrownBy(photos::drop);
        photos.upload(FEW, "a.jpg");
        BlobContainer guarded = photos.withLease(lease);
        guarded.setMetadata(Map.of("a", "b"));
        guarded.drop();

        assertThat(lease.remaining()).isEqualTo(BlobLease.INFINITE);
    }

    @Test
    @DisplayName("LEASE-3: a changed id, a broken lease and a released one")
    void changesAndBreaks() {
        photos.upload(FEW, "a.jpg");
        BlobLease lease = photos.lease("a.jpg", LEASE);
        String first = lease.id();
        lease.change();
        assertThat(lease.id()).isNotEqualTo(first);
        photos.withLease(lease).setMetadata("a.jpg", Map.of("a", "b"));

        assertThat(photos.breakLease("a.jpg", Duration.ZERO)).isZero();
        photos.setMetadata("a.jpg", Map.of("a", "c"));
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> photos.breakLease("missing", Duration.ZERO));
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> photos.lease("missing", LEASE));
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lease::release);
    }

    @Test
    @DisplayName("LEASE-3: an acquisition and a release whose responses are lost")
    void survivesLostResponses() {
        photos.upload(FEW, "a.jpg");
        proxy().when(requests().header("x-ms-lease-action", "acquire").times(1)).loseResponse();
        proxy().when(requests().header("x-ms-lease-action", "release").times(1)).loseResponse();
        BlobLease lease = photos.lease("a.jpg", LEASE);
        photos.withLease(lease).setMetadata("a.jpg", Map.of("a", "b"));
        lease.release();

        photos.lease("a.jpg", LEASE).close();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    @DisplayName("LEASE-1: closing the client gives its leases back")
    void endsWithItsClient() {
        photos.upload(FEW, "a.jpg");
        CountDownLatch lost = new CountDownLatch(1);
        Stowline other = client(connectionString());
        BlobLease lease = other.container(photos.name()).lease("a.jpg", LEASE);
        lease.onLost(lost::countDown);
        other.close();

        photos.lease("a.jpg", LEASE).close();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    @DisplayName("LEASE-1: closing the client ends its candidates and interrupts its leader")
    void endsElectionsWithTheirClient() throws Exception {
        CountDownLatch leads = new CountDownLatch(1);
        Stowline other = client(connectionString());
        LeaderElection election = other.container(photos.name()).leader("nightly");
        CompletableFuture<Void> leader = CompletableFuture.runAsync(() -> election.whileLeading(term -> {
            leads.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted", e);
            }
        }));
        assertThat(leads.await(20, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Void> candidate = CompletableFuture.runAsync(() -> election.whileLeading(term -> {}));
        while (proxy().recorded(requests()
                                .path("/**/" + photos.name() + "/nightly")
                                .header("x-ms-lease-action", "acquire"))
                        .size()
                < 3) {
            ShortPause.park();
        }
        other.close();

        assertThat(leader)
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(LeaseLostException.class);
        assertThat(candidate)
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(ClosedException.class);
        photos.leader("nightly").whileLeading(term -> assertThat(term.number()).isEqualTo(2));
    }

    @Test
    @DisplayName("LEASE-1: the reactive face")
    void reacts() {
        ReactiveBlobContainer reactive = photos.reactive();
        photos.upload(FEW, "a.jpg");
        ReactiveBlobLease lease = reactive.lease("a.jpg", LEASE).block();
        reactive.withLease(lease).setMetadata("a.jpg", Map.of("a", "b")).block();
        photos.withLease(lease).setMetadata("a.jpg", Map.of("a", "c"));
        lease.change().block();
        assertThat(reactive.breakLease("a.jpg", Duration.ofSeconds(5)).block())
                .isBetween(Duration.ZERO, Duration.ofSeconds(5));
        lease.close().block();
        reactive.leader("leader")
                .whileLeading(term -> term.fence(reactive, "state").flatMap(state -> state.upload(FEW)))
                .block();

        assertThat(photos.download("state")).isEqualTo(FEW);
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> reactive.leader("leader")
                .whileLeading(term -> Mono.error(new IllegalStateException("the work")))
                .block());
    }

    @Test
    @DisplayName("LEASE-2: terms have growing numbers, and a later term refuses the writes of an earlier one")
    void leads() {
        photos.upload(FEW, "state");
        List<Long> numbers = new ArrayList<>();
        AtomicReference<FencedBlob> former = new AtomicReference<>();
        photos.leader("nightly").whileLeading(term -> {
            numbers.add(term.number());
            former.set(term.fence(photos, "state"));
            former.get().upload(FEW, with -> with.metadata(Map.of("a", "b")));
            assertThat(former.get().upload(new byte[5]).size()).isEqualTo(5);
            assertThat(term.isCurrent()).isTrue();
        });
        photos.leader("nightly").whileLeading(term -> {
            numbers.add(term.number());
            term.fence(photos, "state").upload(new byte[7]);
        });

        assertThat(numbers).containsExactly(1L, 2L);
        assertThat(photos.info("state").metadata()).containsEntry("stowlineterm", "2");
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> former.get().upload(FEW));
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> storage.container("missing").leader("nightly").whileLeading(term -> {}));
    }

    @Test
    @DisplayName("LEASE-2: one try leads, finds another leader, or finds the lease that it has given back")
    void triesOnce() {
        LeaderElection election = photos.leader("nightly");
        List<Long> numbers = new ArrayList<>();
        assertThat(election.tryLeading(term -> {
                    numbers.add(term.number());
                    assertThat(election.tryLeading(other -> numbers.add(other.number())))
                            .isFalse();
                }))
                .isTrue();
        assertThat(photos.reactive()
                        .leader("nightly")
                        .tryLeading(term -> Mono.fromRunnable(() -> numbers.add(term.number())))
                        .block())
                .isTrue();

        assertThat(numbers).containsExactly(1L, 2L);
    }

    @Test
    @DisplayName("LEASE-1: the work of a leader is interrupted when its lease is broken")
    void isInterrupted() {
        CountDownLatch never = new CountDownLatch(1);
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(
                        () -> photos.leader("nightly", Duration.ofSeconds(15)).whileLeading(term -> {
                            photos.breakLease("nightly", Duration.ZERO);
                            try {
                                assertThat(never.await(30, TimeUnit.SECONDS)).isTrue();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException("interrupted", e);
                            }
                        }))
                .withRootCauseInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
}
