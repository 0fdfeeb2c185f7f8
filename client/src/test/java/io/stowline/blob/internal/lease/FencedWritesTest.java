package io.stowline.blob.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobLease;
import io.stowline.blob.FencedBlob;
import io.stowline.blob.LeaseLostException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.retry.Backoff;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** Terms and the blobs that they fence, over an account in memory whose responses are lost. */
@Timeout(60)
class FencedWritesTest {

    private static final byte[] FEW = {1, 2, 3};
    private static final String STATE = "/photos/state";
    private static final String LEADER = "/photos/leader";

    private final MemoryStorage memory = MemoryStorage.create();
    private final Stowline storage = Stowline.builder()
            .connectionString(memory.connectionString())
            .httpClient(memory.httpClient())
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

    @ParameterizedTest
    @ValueSource(strings = {"-5", "9223372036854775807", "9223372036854775808", "1e3"})
    @DisplayName("LEASE-2: a damaged number is refused by name, and left as it is")
    void refusesDamagedNumbers(String stored) {
        photos.upload(FEW, "leader", with -> with.metadata(Map.of("stowlineterm", stored)));

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> photos.leader("leader").whileLeading(term -> {}))
                .withMessageContaining("stowlineterm of photos/leader is '" + stored + "'");
        assertThat(term("leader")).isEqualTo(stored);
        assertThat(photos.lease("leader", Duration.ofSeconds(15)).isHeld()).isTrue();
    }
}
