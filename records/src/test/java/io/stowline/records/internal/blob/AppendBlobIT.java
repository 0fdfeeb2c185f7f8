package io.stowline.records.internal.blob;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.storage.blob.models.BlobType;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobLease;
import io.stowline.error.NotFoundException;
import io.stowline.error.StorageException;
import io.stowline.records.AppendSettings;
import io.stowline.records.internal.chunk.ChunkName;
import io.stowline.records.internal.chunk.ChunkSeal;
import io.stowline.records.internal.chunk.SealedChunk;
import io.stowline.records.internal.format.FramedCodec;
import io.stowline.records.internal.name.BlobNames;
import io.stowline.retry.Backoff;
import io.stowline.testkit.FaultProxyExtension;
import io.stowline.testkit.RequestHold;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.scheduler.Schedulers;

/** Append blobs of the emulator, whose requests are lost, held and sent by processes that have ended. */
@Timeout(120)
class AppendBlobIT {

    @RegisterExtension
    static final FaultProxyExtension PROXY = FaultProxyExtension.shared();

    private static final Instant INTERVAL = Instant.parse("2026-11-29T10:05:00Z");
    private static final int TRIES = 10;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final FramedCodec<String> LINES = FramedCodec.lines(Function.identity(), Function.identity());

    private final List<Stowline> clients = new ArrayList<>();
    private final String container = "a" + UUID.randomUUID();
    private final BlobNames names = new BlobNames("a/", 4, LINES.suffix());
    private BlobContainer blobs;

    @BeforeEach
    void create() {
        blobs = client().container(container);
        blobs.create();
    }

    @AfterEach
    void close() {
        clients.forEach(Stowline::close);
    }

    /** A client of a process; one that is killed stays as it is, and goes on to renew its lease. */
    private Stowline client() {
        Stowline client = Stowline.builder()
                .connectionString(PROXY.storage().connectionString())
                .retry(retry -> retry.backoff(Backoff.fixed(Duration.ofMillis(1))))
                .build();
        clients.add(client);
        return client;
    }

    private AppendBlobTarget process() {
        return AppendBlobTarget.in(
                client().container(container).reactive(),
                LINES,
                names::of,
                AppendSettings.defaults(),
                1 << 20,
                Schedulers.boundedElastic());
    }

    private static Chunk chunk(int sequence) {
        return new Chunk(new ChunkName(INTERVAL, "session", sequence));
    }

    private String name(int sequence) {
        return names.of(chunk(sequence).name());
    }

    /** All lines that stand in blobs, in the order of the names. */
    private List<String> lines() {
        try (Stream<BlobInfo> listed = blobs.stream()) {
            return listed.flatMap(blob -> new String(blobs.download(blob.name()), StandardCharsets.UTF_8).lines())
                    .toList();
        }
    }

    private static List<String> linesTo(int chunks) {
        return Stream.iterate(0, i -> i + 1).limit(chunks).map(i -> "line " + i).toList();
    }

    @Test
    @DisplayName("RECORD-1: chunks of a session stand in one blob, whose lease others can have after the close")
    void oneBlob() {
        AppendBlobTarget target = process();
        for (int i = 0; i < 20; i++) {
            assertThat(target.deliver(chunk(i)).block()).isEqualTo(name(0));
        }
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> blobs.appendBlob(name(0)).append(new byte[1]));
        target.close().block();

        assertThat(lines()).isEqualTo(linesTo(20));
        BlobInfo info = blobs.info(name(0));
        assertThat(info.type()).isEqualTo(BlobType.APPEND_BLOB);
        assertThat(info.headers().contentType()).contains(LINES.contentType());
        try (BlobLease lease = blobs.lease(name(0), Duration.ofSeconds(15))) {
            assertThat(lease.isHeld()).isTrue();
        }
        assertThat(PROXY.proxy().recorded(requests().query("comp", "appendblock")))
                .hasSize(21);
    }

    @Test
    @DisplayName(
            "RECORD-1, RECORD-2: 5 % lost responses and processes killed at any step: each chunk once and in order")
    void killsAndLostResponses() {
        PROXY.proxy().when(requests().method("PUT").chance(0.05)).loseResponse();
        Random random = new Random(42);
        AppendBlobTarget target = process();
        int kills = 0;
        for (int i = 0; i < 120; i++) {
            Chunk chunk = chunk(i);
            boolean killed = random.nextInt(8) == 0;
            if (killed && random.nextBoolean()) {
                chunk.killsAfterSeal = true;
                AppendBlobTarget dead = target;
                assertThatExceptionOfType(Killed.class)
                        .isThrownBy(() -> dead.deliver(chunk).block());
            } else {
                target.deliver(chunk).retry(TRIES).block();
            }
            if (killed) {
                kills++;
                target = process();
                target.deliver(chunk).retry(TRIES).block(); // found in the journal
            }
        }
        target.close().block();

        assertThat(kills).isGreaterThan(8);
        assertThat(lines()).isEqualTo(linesTo(120));
        try (Stream<BlobInfo> all = blobs.stream()) {
            assertThat(all.map(BlobInfo::name).collect(Collectors.toList())).hasSizeLessThanOrEqualTo(kills + 1);
        }
    }

    @Test
    @DisplayName("RECORD-1: an append of a killed process that arrives later finds another lease, and changes nothing")
    void lateAppend() throws Exception {
        AppendBlobTarget dead = process();
        dead.deliver(chunk(0)).block();
        RequestHold hold = new RequestHold();
        PROXY.proxy().when(requests().query("comp", "appendblock").times(1)).holdBefore(hold);
        Chunk chunk = chunk(1);
        CompletableFuture<String> late = dead.deliver(chunk).toFuture();
        hold.awaitArrived(LONG);

        Chunk found = chunk(1);
        found.seal = chunk.seal;
        AppendBlobTarget next = process();
        assertThat(next.deliver(found).block()).isEqualTo(name(0));
        next.deliver(chunk(2)).block();
        hold.release();
        try {
            late.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException refused) {
            assertThat(refused.getCause()).isInstanceOf(RuntimeException.class);
        }

        assertThat(lines()).isEqualTo(linesTo(3));
        next.close().block();
    }

    @Test
    @DisplayName(
            "a blob that is deleted while it is written is followed by another one; a missing container is an error of the try")
    void deleted() {
        AppendBlobTarget target = process();
        target.deliver(chunk(0)).block();
        target.deliver(chunk(1)).block();
        blobs.breakLease(name(0), Duration.ZERO);
        blobs.delete(name(0));
        Chunk chunk = chunk(2);

        assertThat(target.deliver(chunk).retry(3).block()).isEqualTo(name(2));
        target.deliver(chunk(3)).block();
        assertThat(lines()).containsExactly("line 2", "line 3");

        blobs.drop();
        Chunk later = chunk(4);
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> target.deliver(later).block());
        blobs.create();
        assertThat(target.deliver(later).retry(3).block()).isEqualTo(name(4));
        assertThat(lines()).containsExactly("line 4");
        target.close().block();
    }

    @Test
    @DisplayName("a lease that another client has taken, and what it has appended, lose no chunk")
    void stolenLease() {
        AppendBlobTarget target = process();
        target.deliver(chunk(0)).block();
        blobs.breakLease(name(0), Duration.ZERO);
        BlobLease foreign = blobs.lease(name(0), BlobLease.INFINITE);
        Chunk second = chunk(1);
        assertThat(target.deliver(second).retry(3).block()).isEqualTo(name(0));

        blobs.breakLease(name(0), Duration.ZERO);
        blobs.appendBlob(name(0)).append("foreign\n".getBytes(StandardCharsets.UTF_8));
        Chunk third = chunk(2);
        assertThat(target.deliver(third).retry(3).block()).isEqualTo(name(2));
        target.close().block();

        assertThat(foreign.id()).isNotEmpty();
        assertThat(lines()).containsExactlyInAnyOrder("line 0", "line 1", "foreign", "line 2");
    }

    @Test
    @DisplayName("a foreign blob under the name of a chunk rejects the chunk, and stays as it is")
    void foreignBlob() {
        blobs.upload("other".getBytes(StandardCharsets.UTF_8), name(0));
        AppendBlobTarget target = process();

        assertThatExceptionOfType(ChunkRefusedException.class)
                .isThrownBy(() -> target.deliver(chunk(0)).block())
                .withMessageContaining(name(0))
                .withMessageContaining("another client has written it");
        assertThat(target.deliver(chunk(1)).block()).isEqualTo(name(1));
        assertThat(lines()).containsExactlyInAnyOrder("other", "line 1");
        target.close().block();
    }

    @Test
    void refusesChunksThatNoAppendCanHave() {
        Stowline old = Stowline.builder()
                .connectionString(PROXY.storage().connectionString())
                .serviceVersion("2020-10-02")
                .build();
        clients.add(old);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> AppendBlobTarget.in(
                        old.container(container).reactive(),
                        LINES,
                        names::of,
                        AppendSettings.defaults(),
                        16 << 20,
                        Schedulers.immediate()))
                .withMessage(
                        "upTo is 16777216 bytes, but a chunk is one append, which has at most 4194304 bytes with the"
                                + " serviceVersion of this client: set upTo to at most 4128768, or a newer serviceVersion");
    }

    /** The end of a process. */
    private static final class Killed extends RuntimeException {

        private static final long serialVersionUID = 1L;
    }

    /** A chunk of one line, on a disk that outlives the process. */
    private static final class Chunk implements SealedChunk {

        private final ChunkName name;
        private volatile @Nullable ChunkSeal seal;
        private boolean killsAfterSeal;

        Chunk(ChunkName name) {
            this.name = name;
        }

        @Override
        public ChunkName name() {
            return name;
        }

        @Override
        public int records() {
            return 1;
        }

        @Override
        public long bytes() {
            return content().length;
        }

        @Override
        public byte[] content() {
            return LINES.encode("line " + name.sequence());
        }

        @Override
        public @Nullable ChunkSeal seal() {
            return seal;
        }

        @Override
        public void seal(ChunkSeal decided) {
            seal = decided;
            if (killsAfterSeal) {
                killsAfterSeal = false;
                throw new Killed();
            }
        }

        @Override
        public void delivered() {}

        @Override
        public void rejected(String reason) {}
    }
}
