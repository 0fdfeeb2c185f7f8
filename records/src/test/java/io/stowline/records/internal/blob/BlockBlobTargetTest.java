package io.stowline.records.internal.blob;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.error.AuthenticationException;
import io.stowline.error.BadRequestException;
import io.stowline.journal.JournalException;
import io.stowline.records.internal.chunk.ChunkName;
import io.stowline.records.internal.chunk.ChunkSeal;
import io.stowline.records.internal.chunk.MemoryChunks;
import io.stowline.records.internal.chunk.OpenChunk;
import io.stowline.records.internal.chunk.SealedChunk;
import io.stowline.records.internal.format.FramedCodec;
import io.stowline.records.internal.format.RecordCodec;
import io.stowline.records.internal.name.BlobNames;
import io.stowline.retry.Backoff;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BlockBlobTargetTest {

    private static final ChunkName NAME = new ChunkName(Instant.parse("2026-11-29T10:05:00Z"), "5m-k3v9x2m4qd7h", 17);

    private final MemoryStorage account = MemoryStorage.create();
    private final Stowline storage = Stowline.builder()
            .connectionString(account.connectionString())
            .httpClient(account.httpClient())
            .retry(retry -> retry.retries(0).backoff(Backoff.fixed(Duration.ofMillis(1))))
            .build();
    private final BlobContainer container = storage.container("ads");
    private final RecordCodec<String> codec = FramedCodec.lines(text -> text, text -> text);
    private final BlobNames names = new BlobNames("activities/", 16, codec.suffix());
    private final String blob = names.of(NAME);
    private final BlockBlobTarget target = new BlockBlobTarget(container.reactive(), names, codec);

    @BeforeEach
    void create() {
        container.create();
    }

    @AfterEach
    void close() {
        storage.close();
    }

    private SealedChunk chunk(String... records) {
        OpenChunk open = new MemoryChunks(1000).open(NAME);
        for (String record : records) {
            open.write(codec.encode(record));
        }
        return open.seal();
    }

    @Test
    void aChunkIsABlobWithItsFactsAndIsSealedBefore() {
        SealedChunk chunk = chunk("a", "b");
        assertThat(target.deliver(chunk).block()).isEqualTo(blob);
        assertThat(container.download(blob)).asString().isEqualTo("a\nb\n");
        assertThat(container.info(blob).metadata()).containsEntry("stowline_records", "2");
        assertThat(container.info(blob).headers().contentType()).isEqualTo(codec.contentType());
        assertThat(chunk.seal())
                .isEqualTo(new ChunkSeal(blob, 0, 4, container.info(blob).contentMd5()));
    }

    @Test
    void anotherDeliveryFindsTheBlob() {
        target.deliver(chunk("a")).block();
        String etag = container.info(blob).etag();
        assertThat(target.deliver(chunk("a")).block()).isEqualTo(blob);
        assertThat(container.info(blob).etag()).isEqualTo(etag);
    }

    @Test
    void aCopyWithoutMetadataIsKnownByItsContent() {
        container.upload("a\n".getBytes(UTF_8), blob);
        assertThat(target.deliver(chunk("a")).block()).isEqualTo(blob);
    }

    @Test
    void anotherCompressionOfTheSameRecordsIsTheSameChunk() {
        container.upload(
                "other bytes".getBytes(UTF_8),
                blob,
                with -> with.metadata(Map.of("stowline_chunk", ChunkHash.of("a\n".getBytes(UTF_8)))));
        assertThat(target.deliver(chunk("a")).block()).isEqualTo(blob);
    }

    @Test
    void anotherBlobStaysAndRejectsTheChunk() {
        container.upload("foreign".getBytes(UTF_8), blob);
        assertThatExceptionOfType(ChunkRefusedException.class)
                .isThrownBy(() -> target.deliver(chunk("a")).block())
                .withMessageContaining(blob);
        assertThat(container.download(blob)).asString().isEqualTo("foreign");
    }

    @Test
    void aCredentialThatMayOnlyCreateIsSettledToo() {
        target.deliver(chunk("a")).block();
        account.refuseNext("PUT", blob, 403, "UnauthorizedBlobOverwrite");
        assertThat(target.deliver(chunk("a")).block()).isEqualTo(blob);
    }

    @Test
    void onlyTheSizeIsFinal() {
        account.refuseNext("PUT", blob, 413, "RequestBodyTooLarge");
        assertThatExceptionOfType(ChunkRefusedException.class)
                .isThrownBy(() -> target.deliver(chunk("a")).block())
                .withMessageContaining("upTo");
        account.refuseNext("PUT", blob, 400, "InvalidHeaderValue");
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> target.deliver(chunk("a")).block());
        account.refuseNext("PUT", blob, 403, "AuthorizationFailure");
        assertThatExceptionOfType(AuthenticationException.class)
                .isThrownBy(() -> target.deliver(chunk("a")).block());
        assertThat(target.deliver(chunk("a")).block()).isEqualTo(blob);
    }

    @Test
    void aDiskTooFullForTheSealLetsTheChunkGo() {
        assertThat(target.deliver(new Unsealable(chunk("a"))).block()).isEqualTo(blob);
        assertThat(target.deliver(new Unsealable(chunk("a"))).block()).isEqualTo(blob);
    }

    /** A chunk on a disk without room. */
    private record Unsealable(SealedChunk chunk) implements SealedChunk {

        @Override
        public ChunkName name() {
            return chunk.name();
        }

        @Override
        public int records() {
            return chunk.records();
        }

        @Override
        public long bytes() {
            return chunk.bytes();
        }

        @Override
        public byte[] content() {
            return chunk.content();
        }

        @Override
        public ChunkSeal seal() {
            return chunk.seal();
        }

        @Override
        public void seal(ChunkSeal seal) {
            throw new JournalException("no space left on device", new IllegalStateException());
        }

        @Override
        public void delivered() {
            chunk.delivered();
        }

        @Override
        public void rejected(String reason) {
            chunk.rejected(reason);
        }
    }
}
