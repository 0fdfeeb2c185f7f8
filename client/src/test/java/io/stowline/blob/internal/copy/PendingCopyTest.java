package io.stowline.blob.internal.copy;

import static io.stowline.blob.internal.base.BlobBench.MARK;
import static io.stowline.blob.internal.base.BlobBench.NOW;
import static io.stowline.blob.internal.base.BlobBench.OLD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.storage.blob.models.CopyStatusType;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobCopy;
import io.stowline.blob.BlobHeaders;
import io.stowline.blob.CopySettings;
import io.stowline.blob.internal.base.BlobBench;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.blob.internal.request.BlobRequests;
import io.stowline.blob.internal.request.BlobRequests.BlobCommit;
import io.stowline.blob.internal.request.BlobRequests.WriteCondition;
import io.stowline.blob.internal.request.SourceAccess;
import io.stowline.error.ClosedException;
import io.stowline.error.ConflictException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.ServerErrorException;
import io.stowline.error.StorageException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Copies that go on after their request: their states, their ends, and what they leave. */
@Timeout(60)
class PendingCopyTest {

    private static final String ID = "c-1";

    private final StoredBlob stored = new StoredBlob(new byte[100]);
    private final StubBlobs blobs = new StubBlobs(requested -> BlobStubResponse.refusal(400, "Unexpected"));
    private final BlobContainer photos = blobs.container();

    private final ExecutorService waiters = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        waiters.shutdownNow();
        blobs.close();
    }

    /** Takes the copy, and shows the target in these states, one for each request and the last one on and on. */
    private void shows(String... states) {
        AtomicInteger read = new AtomicInteger();
        blobs.respond(requested -> {
            if (requested.method().equals("PUT")) {
                return requested.query().contains("comp=copy")
                        ? BlobStubResponse.of(204)
                        : BlobStubResponse.of(202).with("x-ms-copy-id", ID).with("x-ms-copy-status", "pending");
            }
            if (requested.method().equals("DELETE")) {
                return BlobStubResponse.of(202);
            }
            return requested.path().endsWith("/a")
                    ? stored.apply(requested).with("x-ms-meta-camera", "x100")
                    : target(requested, states[Math.min(read.getAndIncrement(), states.length - 1)]);
        });
    }

    private BlobStubResponse target(StubRequest requested, String state) {
        return stored.apply(requested)
                .with("x-ms-copy-id", ID)
                .with("x-ms-copy-status", state)
                .with("x-ms-copy-progress", state.equals("success") ? "100/100" : "40/100")
                .with("x-ms-copy-status-description", "500 the words of the service");
    }

    private BlobCopy started() {
        return photos.startCopy(photos, "a", "t");
    }

    private List<StubRequest> deletions() {
        return blobs.requested("DELETE", "");
    }

    @Test
    @DisplayName("B3: a copy is started within an account without another proof, and waited for")
    void startsAndJoins() {
        shows("pending", "success");
        BlobCopy copy = photos.startCopy(photos, "a", "t", with -> with.tags(Map.of("year", "2026")));

        assertThat(copy.id()).isEqualTo(ID);
        assertThat(copy.name()).isEqualTo("t");
        assertThat(copy).hasToString("BlobCopy[photos/t, c-1]");
        StubRequest put = blobs.requested("PUT", "").get(0);
        assertThat(put.header("x-ms-copy-source")).endsWith("/photos/a");
        assertThat(put.header("x-ms-source-if-match")).isEqualTo("\"v1\"");
        assertThat(put.header("If-None-Match")).isEqualTo("*");
        assertThat(put.header("x-ms-meta-camera")).isEqualTo("x100");
        assertThat(put.header("x-ms-tags")).isEqualTo("year=2026");
        assertThat(put.header("x-ms-blob-type")).isNull();
        assertThat(copy.progress().status()).isEqualTo(CopyStatusType.PENDING);
        assertThat(copy.join().size()).isEqualTo(100);
        assertThat(deletions()).isEmpty();
        assertThat(photos.reactive().pendingCopy("t", ID).join().block().size()).isEqualTo(100);
    }

    @Test
    @DisplayName("COPY-3: across accounts the source is opened by a signature for it alone")
    void acrossAccounts() {
        try (StubBlobs other = new StubBlobs(stored)) {
            SourceAccess access = new ContainerSource(other.scope(), "a")
                    .lastingAccess("\"v1\"", "another")
                    .block();
            assertThat(access).asString().doesNotContain("sig=").contains("/photos/a");
            bench(access);
        }
    }

    /** Sends a copy with this access. */
    private void bench(SourceAccess access) {
        shows("success");
        var commit =
                new BlobCommit(new WriteCondition(null, true, null), BlobHeaders.none(), null, Map.of(), null, null);
        blobs.scope()
                .service()
                .pipeline()
                .send(new BlobRequests(blobs.scope(), "startCopy", "t")
                        .startCopy(commit, access, blobs.scope().retry()))
                .block();
        assertThat(blobs.requested("PUT", "").get(0).header("x-ms-copy-source"))
                .contains("sp=r")
                .contains("sr=b")
                .contains("sig=");
    }

    @Test
    @DisplayName("B3: progress and a bounded wait leave the copy alone")
    void pending() {
        shows("pending");
        BlobCopy copy = started();
        assertThat(copy.progress())
                .satisfies(now -> assertThat(now.bytesDone()).isEqualTo(40))
                .satisfies(now -> assertThat(now.bytesTotal()).isEqualTo(100))
                .satisfies(now -> assertThat(now.description()).isPresent());
        assertThat(copy.join(Duration.ofMillis(50))).isEmpty();
        assertThat(copy.reactive().join(Duration.ofMillis(50)).blockOptional()).isEmpty();
        assertThat(blobs.requested("PUT", "")).hasSize(1);
        assertThat(deletions()).isEmpty();
    }

    @Test
    @DisplayName("B3: closing the client ends the waits for a copy, with and without a bound, on both faces")
    void closed() {
        shows("pending");
        BlobCopy copy = started();
        CountDownLatch begun = new CountDownLatch(4);
        blobs.respond(requested -> {
            begun.countDown();
            return target(requested, "pending");
        });
        List<CompletableFuture<?>> joins = List.of(
                CompletableFuture.supplyAsync(copy::join, waiters),
                CompletableFuture.supplyAsync(() -> copy.join(Duration.ofMinutes(10)), waiters),
                copy.reactive().join().toFuture(),
                copy.reactive().join(Duration.ofMinutes(10)).toFuture());
        StubBlobs.await(begun);
        blobs.scope().service().close(Duration.ofSeconds(1)).block();
        blobs.closing().join();
        for (CompletableFuture<?> join : joins) {
            assertThat(join)
                    .failsWithin(Duration.ofSeconds(10))
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(ClosedException.class);
        }
        assertThatExceptionOfType(ClosedException.class).isThrownBy(copy::join);
        assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> copy.join(Duration.ofMinutes(10)));
        assertThatExceptionOfType(ClosedException.class)
                .isThrownBy(() -> copy.reactive().join(Duration.ofMinutes(10)).block());
    }

    @ParameterizedTest
    @ValueSource(strings = {"failed", "aborted"})
    @DisplayName("COPY-1: a copy that fails or is aborted by another client leaves no empty target")
    void failed(String state) {
        shows("pending", state);
        BlobCopy copy = started();
        assertThatExceptionOfType(ServerErrorException.class)
                .isThrownBy(copy::join)
                .withMessageContaining("the service ended the copy c-1 as " + state)
                .withMessageContaining("the words of the service");
        assertThat(deletions()).singleElement().satisfies(deletion -> assertThat(deletion.header("If-Match"))
                .isEqualTo("\"v1\""));
    }

    @Test
    @DisplayName("COPY-1: an aborted copy leaves no empty target, and one that has ended is not aborted")
    void aborts() {
        shows("aborted");
        assertThat(started().abort()).isTrue();
        StubRequest abort = blobs.requested("PUT", "copy").get(0);
        assertThat(abort.query()).contains("copyid=" + ID);
        assertThat(abort.header("x-ms-copy-action")).isEqualTo("abort");
        assertThat(deletions()).hasSize(1);

        blobs.requested().clear();
        blobs.respond(requested -> requested.method().equals("PUT")
                ? BlobStubResponse.refusal(409, "NoPendingCopyOperation")
                : target(requested, "success"));
        assertThat(photos.pendingCopy("t", ID).abort()).isFalse();
        assertThat(photos.reactive().pendingCopy("t", ID).abort().block()).isFalse();
        assertThat(deletions()).isEmpty();
    }

    @Test
    @DisplayName("COPY-2: the copy of another owner is neither waited for, nor aborted, nor removed")
    void another() {
        blobs.respond(requested -> requested.method().equals("PUT")
                ? BlobStubResponse.refusal(409, "CopyIdMismatch")
                : target(requested, "failed").with("x-ms-copy-id", "c-2"));
        BlobCopy copy = photos.pendingCopy("t", ID);
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(copy::join)
                .withMessageContaining("not, or no longer, the target of the copy c-1");
        assertThatExceptionOfType(ConflictException.class).isThrownBy(copy::progress);
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(copy::abort)
                .satisfies(e -> assertThat(e.failure().errorCode()).isEqualTo("CopyIdMismatch"));
        assertThat(deletions()).isEmpty();
    }

    @Test
    @DisplayName("COPY-1: a copy that would replace a blob is refused before anything is sent")
    void replacesNothing() {
        for (UnaryOperator<CopySettings.Builder> wrong : List.<UnaryOperator<CopySettings.Builder>>of(
                CopySettings.Builder::overwrite,
                with -> with.ifMatch("\"e\""),
                with -> with.headers(headers -> headers.contentType("a/b")))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> photos.startCopy(photos, "a", "t", wrong))
                    .withMessageContaining("are for copyFrom");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> photos.pendingCopy("t", ""));
        assertThat(blobs.requested()).isEmpty();
    }

    /** A source of the bench, whose account has no address to be signed for. */
    private static CopySource source(BlobBench bench) {
        ContainerSource signed = new ContainerSource(bench.scope(), "a");
        return new CopySource() {
            @Override
            public Mono<SourceInfo> info(String verb, @Nullable String ifMatch) {
                return signed.info(verb, ifMatch);
            }

            @Override
            public Mono<SourceAccess> access(String etag, Duration time) {
                throw new AssertionError();
            }

            @Override
            public Mono<SourceAccess> lastingAccess(String etag, String account) {
                return signed.lastingAccess(etag, account);
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

    private static BlobBench.Running<PendingCopy> losesTheStart(BlobBench bench) {
        bench.shows(OLD, OLD, "Content-Length", "7").losesTheResponse();
        BlobBench.Running<PendingCopy> copy = bench.start(new StartedCopy(
                        bench.scope(),
                        "t",
                        source(bench),
                        CopySettings.builder().build())
                .start());
        bench.awaitSent(2);
        return copy;
    }

    @ParameterizedTest
    @ValueSource(strings = {"BlobAlreadyExists", "PendingCopyOperation"})
    @DisplayName(
            "COPY-2: after a lost response the id of the copy is found by its mark, and another's copy is not taken"
                    + " for it")
    void lostStart(String code) throws Exception {
        BlobBench bench = new BlobBench();
        var copy = losesTheStart(bench);
        String mark = bench.wire().last().header(MARK);
        bench.refuses(409, code).shows(NOW, NOW, MARK, mark, "x-ms-copy-id", "c-9", "Content-Length", "7");
        assertThat(copy.value().id()).isEqualTo("c-9");

        BlobBench again = new BlobBench();
        var other = losesTheStart(again);
        again.refuses(409, code).shows(NOW, NOW, MARK, "other", "x-ms-copy-id", "c-8", "Content-Length", "7");
        assertThat(other.failure()).isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    @DisplayName("COPY-2: after a lost response to an abort the blob decides")
    void lostAbort() throws Exception {
        BlobBench bench = new BlobBench();
        bench.losesTheResponse();
        var abort = bench.start(new PendingCopy(bench.scope(), "t", ID).abort());
        bench.refuses(409, "NoPendingCopyOperation")
                .shows(NOW, NOW, "x-ms-copy-id", ID, "x-ms-copy-status", "aborted", "Content-Length", "0")
                .responds(202);
        assertThat(abort.value()).isTrue();
        assertThat(bench.wire().last().method()).isEqualTo("DELETE");

        BlobBench pending = new BlobBench(settings -> settings.retries(0).deadline(Duration.ofMinutes(10)));
        pending.losesTheResponse();
        var unknown = pending.start(new PendingCopy(pending.scope(), "t", ID).abort());
        pending.shows(NOW, NOW, "x-ms-copy-id", ID, "x-ms-copy-status", "pending", "Content-Length", "7");
        StorageException failure = unknown.failure();
        assertThat(failure).isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    @DisplayName("B3: the wait for a copy requests it after 1, 2, 4, 8 and 15 seconds")
    void pauses() throws Exception {
        BlobBench bench = new BlobBench();
        for (int i = 0; i < 6; i++) {
            bench.shows(NOW, NOW, "x-ms-copy-id", ID, "x-ms-copy-status", "pending", "Content-Length", "7");
        }
        bench.shows(NOW, NOW, "x-ms-copy-id", ID, "x-ms-copy-status", "success", "Content-Length", "7");
        var join = bench.start(new PendingCopy(bench.scope(), "t", ID).join());
        assertThat(join.value().size()).isEqualTo(7);
        List<Duration> at = bench.wire().sent().stream().map(sent -> sent.at()).toList();
        assertThat(at).hasSize(7);
        for (int i = 1; i < 7; i++) {
            assertThat(at.get(i).minus(at.get(i - 1)))
                    .isBetween(
                            Duration.ofSeconds(List.of(1, 2, 4, 8, 15, 15).get(i - 1)),
                            Duration.ofSeconds(List.of(1, 2, 4, 8, 15, 15).get(i - 1) + 2L));
        }
    }
}
