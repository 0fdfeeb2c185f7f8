package io.stowline.blob.internal.replica;

import static io.stowline.blob.BlobTagFilter.tag;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobDownload;
import io.stowline.blob.BlobReplicas;
import io.stowline.blob.CopySettings;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.ReplicaReport;
import io.stowline.blob.ReplicaSettings;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.blob.internal.file.DownloadTo;
import io.stowline.error.AuthenticationException;
import io.stowline.error.ClosedException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ThrottledException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies of a hot blob in three accounts, on the wire. */
@Timeout(60)
class BlobReplicasTest {

    private static final String NAME = "model.bin";
    private static final String MARKER = "x-ms-meta-stowlinereplica";
    private static final byte[] FIRST = "first version".getBytes();
    private static final byte[] SECOND = "the second version".getBytes();
    private static final String NEW_TIME = "Thu, 29 Feb 2024 13:00:00 GMT";

    /** An account that keeps one copy as the service does. */
    private static final class CopyAccount implements Function<StubRequest, BlobStubResponse>, AutoCloseable {

        final StubBlobs stub = stub(this);
        volatile byte[] arriving = FIRST;
        volatile Function<StubRequest, BlobStubResponse> writes = request -> null;
        private StoredBlob stored;
        private String marker;
        private String write = "none";
        private int versions;

        private static StubBlobs stub(Function<StubRequest, BlobStubResponse> responses) {
            return new StubBlobs(responses, settings -> settings.retries(1));
        }

        synchronized void store(byte[] content, String mark) {
            stored = new StoredBlob(content).etag("\"c" + ++versions + "\"");
            marker = mark;
        }

        synchronized String marker() {
            return marker;
        }

        @Override
        public BlobStubResponse apply(StubRequest request) {
            if (request.method().equals("PUT")) {
                BlobStubResponse other = writes.apply(request);
                return other == null ? put(request) : other;
            }
            return kept(request);
        }

        private synchronized BlobStubResponse put(StubRequest request) {
            String only = request.header("If-Match");
            if (stored == null ? only != null : !("\"c" + versions + "\"").equals(only)) {
                return BlobStubResponse.refusal(412, "ConditionNotMet");
            }
            assertThat(request.header("x-ms-copy-source")).isNotNull();
            store(arriving, request.header(MARKER));
            write = request.header("x-ms-meta-stowlinewrite");
            return BlobStubResponse.of(201).with("ETag", "\"c" + versions + "\"");
        }

        private synchronized BlobStubResponse kept(StubRequest request) {
            if (stored == null) {
                return BlobStubResponse.refusal(404, "BlobNotFound");
            }
            if (request.method().equals("DELETE")) {
                assertThat(request.header("If-Match")).isEqualTo("\"c" + versions + "\"");
                stored = null;
                return BlobStubResponse.of(202);
            }
            BlobStubResponse found = stored.apply(request)
                    .with("x-ms-meta-stowlinewrite", write)
                    .with("x-ms-creation-time", "Thu, 29 Feb 2024 12:00:00 GMT");
            return marker == null ? found : found.with(MARKER, marker);
        }

        long reads() {
            return stub.requested("GET", "").size();
        }

        @Override
        public void close() {
            stub.close();
        }
    }

    @TempDir
    Path folder;

    private final StoredBlob stored = new StoredBlob(FIRST);
    private final StubBlobs source = CopyAccount.stub(stored);
    private final CopyAccount second = new CopyAccount();
    private final CopyAccount third = new CopyAccount();

    @AfterEach
    void close() {
        source.close();
        second.close();
        third.close();
    }

    private List<BlobContainer> others() {
        return List.of(second.stub.container(), third.stub.container());
    }

    private BlobReplicas replicas(UnaryOperator<ReplicaSettings.Builder> settings) {
        return source.container().replicas(others(), settings);
    }

    private BlobReplicas replicas() {
        return replicas(o -> o);
    }

    /** Returns the replicas of an instance whose first choices are these. */
    private BlobReplicas choosing(Integer... first) {
        long seed = LongStream.range(0, 10_000)
                .filter(each ->
                        ReplicaOrder.of(each, NAME, 3).subList(0, first.length).equals(List.of(first)))
                .findFirst()
                .orElseThrow();
        return replicas(o -> o.seed(seed));
    }

    private void changeSource() {
        stored.changeTo(SECOND, "\"v2\"");
        stored.md5(StoredBlob.hashOf(SECOND));
        source.respond(request -> stored.apply(request).with("Last-Modified", NEW_TIME));
        second.arriving = SECOND;
        third.arriving = SECOND;
    }

    /** Changes the source within the second of its first version. */
    private void changeSourceAtOnce() {
        stored.changeTo(SECOND, "\"v2\"");
        stored.md5(StoredBlob.hashOf(SECOND));
        second.arriving = SECOND;
        third.arriving = SECOND;
    }

    private static List<Action> actions(ReplicaReport report) {
        return report.copies().stream().map(Item::action).toList();
    }

    @Test
    @DisplayName("B1: publish copies one version by the services, in parallel, and names it in each copy")
    void publishes() {
        CountDownLatch both = new CountDownLatch(2);
        Function<StubRequest, BlobStubResponse> together = request -> {
            both.countDown();
            StubBlobs.await(both);
            return null;
        };
        second.writes = together;
        third.writes = together;
        ReplicaReport report = replicas().publish(NAME);

        assertThat(report.version()).isEqualTo("\"v1\"");
        assertThat(actions(report)).containsExactly(Action.TRANSFERRED, Action.TRANSFERRED);
        assertThat(report.failures()).isEmpty();
        assertThat(report.copies().get(0).name())
                .endsWith("/acct/photos/model.bin")
                .doesNotContain("sig=");
        for (CopyAccount each : List.of(second, third)) {
            StubRequest put = each.stub.requested("PUT", "").get(0);
            assertThat(put.body()).isEmpty();
            assertThat(put.header("x-ms-source-if-match")).isEqualTo("\"v1\"");
            assertThat(put.header("If-None-Match")).isEqualTo("*");
            assertThat(put.header("x-ms-meta-owner")).isEqualTo("me");
            assertThat(each.marker())
                    .isEqualTo(Instant.parse("2024-02-29T12:00:00Z").toEpochMilli() + ";;\"v1\"");
        }
        assertThat(source.requested("GET", "")).isEmpty();
    }

    @Test
    @DisplayName(
            "B1: publish leaves copies of the version as they are, and replaces those of another one on their ETag")
    void publishesOnceMore() {
        BlobReplicas replicas = replicas();
        replicas.publish(NAME);
        assertThat(actions(replicas.publish(NAME))).containsExactly(Action.UNCHANGED, Action.UNCHANGED);
        changeSource();
        ReplicaReport report = replicas.reactive().publish(NAME).block();

        assertThat(report.version()).isEqualTo("\"v2\"");
        assertThat(actions(report)).containsExactly(Action.TRANSFERRED, Action.TRANSFERRED);
        assertThat(second.stub.requested("PUT", "")).hasSize(2);
        assertThat(second.stub.requested("PUT", "").get(1).header("If-Match")).isEqualTo("\"c1\"");
        assertThat(third.marker()).endsWith("\"v2\"");
    }

    @Test
    @DisplayName("B1, COPY-1: a copy that fails keeps its old version readable, is reported, and the others go on")
    void failedPublish() {
        BlobReplicas publisher = replicas();
        publisher.publish(NAME);
        BlobReplicas reader = choosing(1, 0);
        assertThat(reader.download(NAME)).isEqualTo(FIRST);
        changeSource();
        second.writes = request -> BlobStubResponse.refusal(403, "CannotVerifyCopySource");
        ReplicaReport report = publisher.publish(NAME);

        assertThat(actions(report)).containsExactly(Action.FAILED, Action.TRANSFERRED);
        assertThat(report.failures()).singleElement().satisfies(failed -> assertThat(failed.error())
                .hasMessageContaining("CannotVerifyCopySource"));
        assertThat(reader.download(NAME)).isEqualTo(FIRST);
        assertThat(choosing(2).download(NAME)).isEqualTo(SECOND);
        second.writes = request -> null;
        assertThat(actions(publisher.publish(NAME))).containsExactly(Action.TRANSFERRED, Action.UNCHANGED);
        assertThat(reader.download(NAME)).isEqualTo(SECOND);
    }

    @Test
    @DisplayName("B1, COPY-2: a copy whose response was lost is found by its marker, and is no foreign blob")
    void lostResponse() {
        AtomicBoolean lost = new AtomicBoolean();
        second.writes = request -> {
            if (!lost.compareAndSet(false, true)) {
                return null;
            }
            second.put(request);
            return BlobStubResponse.refusal(500, "InternalError");
        };
        ReplicaReport report = replicas().publish(NAME);

        assertThat(actions(report)).containsExactly(Action.TRANSFERRED, Action.TRANSFERRED);
        assertThat(second.stub.requested("PUT", "")).hasSize(2);
        assertThat(choosing(1).download(NAME)).isEqualTo(FIRST);
        assertThat(actions(replicas().publish(NAME))).containsExactly(Action.UNCHANGED, Action.UNCHANGED);
    }

    @Test
    @DisplayName("B1: a blob that publish did not make is neither replaced nor removed")
    void foreignBlob() {
        second.store(SECOND, null);
        ReplicaReport published = replicas().publish(NAME);
        ReplicaReport removed = replicas().remove(NAME);

        assertThat(actions(published)).containsExactly(Action.FAILED, Action.TRANSFERRED);
        assertThat(published.failures().get(0).error()).hasMessageContaining("is not a copy that publish made");
        assertThat(actions(removed)).containsExactly(Action.SKIPPED, Action.DELETED);
        assertThat(second.stub.requested())
                .allSatisfy(request -> assertThat(request.method()).isEqualTo("HEAD"));
        assertThat(choosing(1, 2).download(NAME)).isEqualTo(FIRST);
    }

    @Test
    @DisplayName("B1: removal takes the copies and leaves the source; copies that are gone are no failure")
    void removes() {
        replicas().publish(NAME);
        assertThat(actions(replicas().remove(NAME))).containsExactly(Action.DELETED, Action.DELETED);
        assertThat(actions(replicas().reactive().remove(NAME).block()))
                .containsExactly(Action.UNCHANGED, Action.UNCHANGED);
        assertThat(source.requested("DELETE", "")).isEmpty();
        assertThat(choosing(1).download(NAME)).isEqualTo(FIRST);
    }

    @Test
    @DisplayName("B1: each way to read takes the copy of the instance, in one request")
    void readsItsCopy() throws Exception {
        replicas().publish(NAME);
        BlobReplicas reader = choosing(2);
        assertThat(reader.download(NAME)).isEqualTo(FIRST);
        assertThat(reader.download(NAME, o -> o.range(6, 7))).isEqualTo("version".getBytes());
        try (InputStream content = reader.open(NAME)) {
            assertThat(content.readAllBytes()).isEqualTo(FIRST);
        }
        try (BlobDownload content = reader.openDownload(NAME)) {
            assertThat(content.info().etag()).isEqualTo("\"c1\"");
            assertThat(content.stream().readAllBytes()).isEqualTo(FIRST);
        }
        Path file = folder.resolve("model");
        assertThat(reader.downloadTo(NAME, file).etag()).isEqualTo("\"c1\"");
        assertThat(Files.readAllBytes(file)).isEqualTo(FIRST);
        assertThat(reader.reactive().download(NAME).block()).isEqualTo(FIRST);
        assertThat(reader.reactive().open(NAME).map(part -> part.remaining()).blockLast())
                .isEqualTo(FIRST.length);
        assertThat(reader.reactive()
                        .openDownload(NAME)
                        .flatMapMany(content -> content.stream())
                        .blockLast()
                        .remaining())
                .isEqualTo(FIRST.length);
        assertThat(reader.reactive().downloadTo(NAME, file).block().size()).isEqualTo(FIRST.length);

        assertThat(third.reads()).isEqualTo(9);
        assertThat(second.reads()).isZero();
        assertThat(source.requested("GET", "")).isEmpty();
        assertThat(third.stub.memory().now()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"throttled", "failing", "forbidden", "missing", "over", "foreign", "large"})
    @DisplayName("B1: a read goes on at the next copy, and the next call works")
    void fallsBack(String state) throws Exception {
        replicas().publish(NAME);
        switch (state) {
            case "throttled" -> second.stub.respond(request -> BlobStubResponse.refusal(503, "ServerBusy"));
            case "failing" -> second.stub.respond(request -> BlobStubResponse.refusal(500, "InternalError"));
            case "forbidden" -> second.stub.respond(request -> BlobStubResponse.refusal(403, "AuthenticationFailed"));
            case "missing" -> second.stub.respond(request -> BlobStubResponse.refusal(404, "BlobNotFound"));
            case "over" -> second.store(FIRST, "1;" + (System.currentTimeMillis() - 1_000) + ";\"v1\"");
            case "large" -> second.store(new byte[FIRST.length + 1], null);
            default -> second.store(SECOND, "mine");
        }
        BlobReplicas reader = choosing(1, 2);
        assertThat(reader.download(NAME, o -> o.limit(FIRST.length))).isEqualTo(FIRST);
        try (InputStream content = reader.open(NAME)) {
            assertThat(content.readAllBytes()).isEqualTo(FIRST);
        }
        assertThat(reader.downloadTo(NAME, folder.resolve("model")).size()).isEqualTo(FIRST.length);

        assertThat(third.reads()).isEqualTo(3);
        assertThat(second.stub.requested("GET", "")).hasSizeLessThanOrEqualTo(4);
        assertThat(source.requested("GET", "")).isEmpty();
        second.stub.respond(second);
        second.store(FIRST, third.marker());
        assertThat(reader.download(NAME)).isEqualTo(FIRST);
        assertThat(third.reads()).isEqualTo(3);
        assertThat(second.stub.memory().now()).isZero();
    }

    @Test
    @DisplayName("B1: a copy that is larger than the limit is the error of the limit, as that of any blob is")
    void largerThanTheLimit() {
        replicas().publish(NAME);
        BlobReplicas reader = choosing(1, 2);

        assertThatIllegalStateException()
                .isThrownBy(() -> reader.download(NAME, o -> o.limit(FIRST.length - 1)))
                .withMessageContaining("more than the limit of 12");
        assertThat(third.reads()).isZero();
        assertThat(second.stub.memory().now()).isZero();
        assertThat(reader.download(NAME)).isEqualTo(FIRST);
    }

    @Test
    @DisplayName(
            "B1: a stream that fails after its first bytes fails and is not mixed with another copy; the next read is"
                    + " of another one")
    void brokenStream() throws Exception {
        byte[] large = new byte[200 << 10];
        stored.changeTo(large, "\"v1\"");
        stored.md5(StoredBlob.hashOf(large));
        second.arriving = large;
        third.arriving = large;
        replicas().publish(NAME);
        AtomicBoolean first = new AtomicBoolean(true);
        second.stub.respond(request ->
                first.getAndSet(false) ? second.apply(request) : BlobStubResponse.refusal(503, "ServerBusy"));
        BlobReplicas reader = choosing(1, 2);
        try (InputStream content = reader.open(NAME, o -> o.rangeSize(64 << 10))) {
            assertThat(content.readNBytes(1)).hasSize(1);
            assertThatExceptionOfType(ThrottledException.class).isThrownBy(content::readAllBytes);
        }

        assertThat(third.reads()).isZero();
        assertThat(source.requested("GET", "")).isEmpty();
        assertThat(second.stub.memory().now()).isZero();
        try (InputStream content = reader.open(NAME)) {
            assertThat(content.readAllBytes()).isEqualTo(large);
        }
        assertThat(third.reads()).isPositive();
    }

    @Test
    @DisplayName("B1: an instance never goes back to an older version than it has met")
    void neverGoesBack() {
        replicas().publish(NAME);
        BlobReplicas reader = choosing(1, 0);
        assertThat(reader.download(NAME)).isEqualTo(FIRST);
        String old = second.marker();
        changeSource();
        second.stub.respond(request -> BlobStubResponse.refusal(503, "ServerBusy"));
        assertThat(reader.download(NAME)).isEqualTo(SECOND);
        second.stub.respond(second);

        assertThat(second.marker()).isEqualTo(old);
        assertThat(reader.download(NAME)).isEqualTo(SECOND);
        assertThat(choosing(1).download(NAME)).isEqualTo(FIRST);
    }

    @Test
    @DisplayName("B1: of two versions of one second, an instance never goes back to the one that it has met before")
    void neverGoesBackWithinASecond() {
        BlobReplicas publisher = choosing(1);
        publisher.publish(NAME);
        BlobReplicas met = choosing(1, 2);
        assertThat(met.download(NAME)).isEqualTo(FIRST);
        changeSourceAtOnce();
        second.writes = request -> BlobStubResponse.refusal(403, "CannotVerifyCopySource");
        assertThat(actions(publisher.publish(NAME))).containsExactly(Action.FAILED, Action.TRANSFERRED);
        assertThat(second.marker().substring(0, 13))
                .as("one second")
                .isEqualTo(third.marker().substring(0, 13));

        assertThat(publisher.download(NAME)).as("after its publish").isEqualTo(SECOND);
        BlobReplicas other = choosing(2, 1);
        assertThat(other.download(NAME)).isEqualTo(SECOND);
        third.stub.respond(request -> BlobStubResponse.refusal(503, "ServerBusy"));
        assertThat(other.download(NAME)).as("from the source").isEqualTo(SECOND);
        third.stub.respond(third);
        assertThat(met.download(NAME)).as("its copy stays").isEqualTo(FIRST);
        second.stub.respond(request -> BlobStubResponse.refusal(503, "ServerBusy"));
        assertThat(met.download(NAME)).isEqualTo(SECOND);
        second.stub.respond(second);
        long reads = third.reads();
        assertThat(met.download(NAME)).isEqualTo(SECOND);
        assertThat(third.reads()).as("the copy of the source's version").isEqualTo(reads + 1);
    }

    @Test
    @DisplayName("B1: a copy whose client is closed is a failed one, and the others go on; a closed source ends all")
    void closedClient() {
        replicas().publish(NAME);
        changeSource();
        second.stub.abandon();
        ReplicaReport report = replicas().publish(NAME);
        assertThat(actions(report)).containsExactly(Action.FAILED, Action.TRANSFERRED);
        assertThat(report.failures()).singleElement().satisfies(failed -> assertThat(failed.error())
                .isInstanceOf(ClosedException.class)
                .hasMessage("this Stowline is closed (account acct)"));
        assertThat(choosing(1, 2).download(NAME)).isEqualTo(SECOND);
        assertThat(third.reads()).isOne();
        assertThat(actions(replicas().remove(NAME))).containsExactly(Action.FAILED, Action.DELETED);

        source.abandon();
        assertThatExceptionOfType(ClosedException.class)
                .isThrownBy(() -> replicas().publish(NAME));
        assertThatExceptionOfType(ClosedException.class)
                .isThrownBy(() -> replicas().remove(NAME));
        assertThatExceptionOfType(ClosedException.class)
                .isThrownBy(() -> choosing(0).download(NAME));
    }

    @Test
    @DisplayName("B1: a download to a file that another copy completes leaves no files of the copies that failed")
    void unfinishedFiles() {
        byte[] large = new byte[200 << 10];
        stored.changeTo(large, "\"v1\"");
        stored.md5(StoredBlob.hashOf(large));
        second.store(large, Instant.parse("2024-02-29T12:00:00Z").toEpochMilli() + ";;\"v1\"");
        second.stub.respond(request ->
                request.method().equals("GET") && !request.header("x-ms-range").startsWith("bytes=0-")
                        ? BlobStubResponse.refusal(403, "AuthorizationFailure")
                        : second.apply(request));
        BlobContext copies = second.stub.scope().service().container("copies");
        DownloadSettings settings =
                DownloadSettings.builder().rangeSize(64 << 10).parallelism(1).build();
        Path target = folder.resolve("model");
        assertThatExceptionOfType(AuthenticationException.class)
                .isThrownBy(() -> new DownloadTo(copies, NAME, settings).file(target));
        assertThat(folder).as("part and state").isDirectoryContaining("glob:**.part");
        long seed = LongStream.range(0, 100)
                .filter(each -> ReplicaOrder.of(each, NAME, 2).get(0) == 1)
                .findFirst()
                .orElseThrow();
        ReplicaSet set = new ReplicaSet(
                source.scope(),
                List.of(copies),
                ReplicaSettings.builder().seed(seed).build());
        long reads = second.reads();
        new ReplicaReads(set).file(NAME, settings, target).block();

        assertThat(second.reads()).as("tried first").isGreaterThan(reads);
        assertThat(target).hasBinaryContent(large);
        assertThat(folder.toFile().list()).containsExactly("model");
    }

    @Test
    @DisplayName(
            "B1: a copy that is replaced in the middle of a download is read from another copy, and versions are never"
                    + " mixed")
    void replacedInTheMiddle() {
        byte[] large = new byte[200 << 10];
        stored.changeTo(large, "\"v1\"");
        stored.md5(StoredBlob.hashOf(large));
        second.arriving = large;
        third.arriving = large;
        replicas().publish(NAME);
        second.stub.respond(request -> {
            BlobStubResponse found = second.apply(request);
            if (request.method().equals("GET")) {
                second.store(new byte[300 << 10], second.marker());
            }
            return found;
        });

        assertThat(choosing(1, 2).download(NAME, o -> o.rangeSize(64 << 10))).isEqualTo(large);
    }

    @Test
    @DisplayName("B1: a read whose every copy fails ends with the failure of the source, after one try of each")
    void allFail() {
        second.stub.respond(request -> BlobStubResponse.refusal(403, "AuthenticationFailed"));
        source.respond(request -> BlobStubResponse.refusal(503, "ServerBusy"));
        for (BlobReplicas reader : List.of(choosing(0, 1), choosing(1, 2), choosing(2, 0))) {
            assertThatExceptionOfType(ThrottledException.class)
                    .isThrownBy(() -> reader.download(NAME))
                    .satisfies(e -> assertThat(e.getSuppressed()).hasSizeGreaterThanOrEqualTo(2));
        }
        assertThat(third.reads()).isEqualTo(3);
    }

    @Test
    @DisplayName("B1: a source that is missing or changes is the failure of publish or of its copies")
    void changedSource() {
        second.writes = request -> BlobStubResponse.refusal(412, "SourceConditionNotMet");
        ReplicaReport report = replicas().publish(NAME);
        assertThat(report.failures()).singleElement().satisfies(failed -> assertThat(failed.error())
                .isInstanceOf(PreconditionFailedException.class));
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> replicas().publish(NAME, o -> o.sourceIfMatch("\"v0\"")));
        source.respond(request -> BlobStubResponse.refusal(404, "BlobNotFound"));
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> replicas().publish(NAME));
    }

    @Test
    @DisplayName("what cannot be is refused before anything is sent")
    void refused() {
        BlobContainer photos = source.container();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> photos.replicas(List.of()))
                .withMessageContaining("others has no container");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> photos.replicas(List.of(photos)))
                .withMessageContaining("others has a container twice, or the source");
        for (UnaryOperator<CopySettings.Builder> wrong :
                List.<UnaryOperator<CopySettings.Builder>>of(o -> o.overwrite(), o -> o.ifMatch("\"a\""))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> replicas().publish(NAME, wrong))
                    .withMessageContaining("overwrite, ifMatch and ifTags");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> replicas().download(NAME, o -> o.ifMatch("\"a\"")))
                .withMessageContaining("replicas read any copy");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> replicas().open(NAME, o -> o.ifTags(tag("a").equalTo("b"))));
        assertThatIllegalArgumentException().isThrownBy(() -> replicas().download(""));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> replicas(o -> o.startWithin(Duration.ofDays(2))))
                .withMessageContaining("startWithin is 0 to PT24H");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> replicas(o -> o.expireAfter(Duration.ZERO)))
                .withMessageContaining("expireAfter is more than 0");
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> choosing(0).download(NAME, o -> o.limit(3)))
                .withMessageContaining("more than the limit of 3");
        assertThat(second.stub.requested()).isEmpty();
        assertThat(source.memory().now()).isZero();
    }
}
