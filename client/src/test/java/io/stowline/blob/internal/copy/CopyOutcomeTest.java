package io.stowline.blob.internal.copy;

import static io.stowline.blob.internal.base.BlobBench.MARK;
import static io.stowline.blob.internal.base.BlobBench.NOW;
import static io.stowline.blob.internal.base.BlobBench.OLD;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.BlobHeaders;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobBench;
import io.stowline.blob.internal.request.SourceAccess;
import io.stowline.error.ConflictException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.outcome.Evidence;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

/** The outcome of a copy whose response was lost. */
@Timeout(60)
class CopyOutcomeTest {

    private static final String MD5 = "AAAAAAAAAAAAAAAAAAAAAA==";

    private BlobBench bench = new BlobBench();

    /** Begins a copy, whose source has been read; the response to its one request is lost. */
    private BlobBench.Running<BlobWriteResult> losesIts(boolean overwrite, int blockSize) {
        bench.shows(OLD, OLD, "Content-Length", "7", "Content-MD5", MD5);
        if (blockSize < 7) {
            bench.refuses(404, "BlobNotFound")
                    .refuses(404, "BlobNotFound")
                    .responds(201)
                    .responds(201);
        }
        bench.losesTheResponse();
        BlobBench.Running<BlobWriteResult> copy = bench.start(new ServerCopy(
                        bench.scope(),
                        "copyFrom",
                        "b",
                        source(),
                        from -> new UploadSettings(
                                overwrite,
                                Optional.empty(),
                                BlobHeaders.none(),
                                Map.of(),
                                Map.of(),
                                Optional.empty(),
                                Optional.empty(),
                                blockSize,
                                1,
                                false,
                                Optional.empty()))
                .run(null));
        bench.awaitSent(blockSize < 7 ? 6 : 2);
        return copy;
    }

    /** The account of the bench has no address to be signed for. */
    private CopySource source() {
        ContainerSource signed = new ContainerSource(bench.scope(), "a");
        return new CopySource() {
            @Override
            public Mono<SourceInfo> info(String verb, @Nullable String ifMatch) {
                return signed.info(verb, ifMatch);
            }

            @Override
            public Mono<SourceAccess> access(String etag, Duration time) {
                return Mono.just(new SourceAccess(shown(), null, etag));
            }

            @Override
            public Mono<SourceAccess> lastingAccess(String etag, String account) {
                throw new AssertionError("for another kind of copy");
            }

            @Override
            public Mono<Map<String, String>> tags(String verb) {
                return signed.tags(verb);
            }

            @Override
            public String shown() {
                return signed.shown();
            }
        };
    }

    private String mark() {
        return bench.wire().last().header(MARK);
    }

    private void showsOurs(String mark) {
        bench.shows(
                NOW,
                NOW,
                MARK,
                mark,
                "Content-Length",
                "7",
                "Content-MD5",
                MD5,
                "Content-Type",
                "application/octet-stream");
    }

    @Test
    @DisplayName("COPY-2: a conflict after a lost response is a success where the mark is ours")
    void isOurs() throws Exception {
        for (int blockSize : new int[] {100, 4}) {
            bench = new BlobBench();
            var copy = losesIts(false, blockSize);
            String mark = mark();
            bench.refuses(409, "BlobAlreadyExists");
            showsOurs(mark);

            assertThat(copy.value()).isEqualTo(BlobWriteResult.recovered("\"e1\"", NOW, 7, Evidence.MARKER, false));
        }
    }

    @Test
    @DisplayName("COPY-2: a source that has changed after a lost response does not hide that the copy was made")
    void changedAfterTheCopy() throws Exception {
        var copy = losesIts(false, 100);
        String mark = mark();
        bench.refuses(412, "SourceConditionNotMet");
        showsOurs(mark);

        assertThat(copy.value().evidence()).isEqualTo(Evidence.MARKER);
    }

    @Test
    @DisplayName("COPY-2: the blob of another owner is never taken for the copy")
    void isOfAnother() {
        var copy = losesIts(false, 100);
        bench.refuses(409, "BlobAlreadyExists");
        showsOurs("other");
        StorageException unknown = copy.failure();
        assertThat(unknown).isInstanceOf(OutcomeUnknownException.class);
        assertThat(unknown.getCause()).isInstanceOf(ConflictException.class);
    }

    @Test
    @DisplayName("COPY-2: a blob that is older than the copy is a conflict like any other")
    void isOlder() {
        var copy = losesIts(false, 100);
        bench.refuses(409, "BlobAlreadyExists");
        bench.shows(OLD, OLD, "Content-Length", "7").shows(OLD, OLD, "Content-Length", "7");
        assertThat(copy.failure()).isInstanceOf(ConflictException.class);
    }

    @Test
    @DisplayName("COPY-2: a copy that overwrites is made again; where the source has changed in between, the outcome is"
            + " unknown")
    void overwrites() throws Exception {
        var copy = losesIts(true, 100);
        bench.responds(201);
        assertThat(copy.value()).isEqualTo(BlobWriteResult.confirmed("\"e1\"", NOW, 7, true));

        bench = new BlobBench();
        var other = losesIts(true, 100);
        bench.refuses(412, "SourceConditionNotMet");
        StorageException unknown = other.failure();
        assertThat(unknown).isInstanceOf(OutcomeUnknownException.class);
        assertThat(unknown.getCause()).isInstanceOf(PreconditionFailedException.class);
    }

    @Test
    @DisplayName("COPY-2: a lost response to a block, or to the request for the source, leaves nothing unresolved")
    void lostBlock() throws Exception {
        bench.losesTheResponse().shows(OLD, OLD, "Content-Length", "7", "Content-MD5", MD5);
        bench.refuses(404, "BlobNotFound").refuses(404, "BlobNotFound");
        bench.losesTheResponse().responds(201).responds(201).responds(201);
        BlobWriteResult copied = bench.start(
                        new ServerCopy(bench.scope(), "copyFrom", "b", source(), from -> UploadSettings.builder()
                                        .blockSize(4)
                                        .parallelism(1)
                                        .build())
                                .run(null))
                .value();

        assertThat(copied).isEqualTo(BlobWriteResult.confirmed("\"e1\"", NOW, 7, false));
        assertThat(bench.wire().sent()).hasSize(8);
    }
}
