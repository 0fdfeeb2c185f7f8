package io.stowline.blob.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.blob.CopySettings;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.ReplicaReport;
import io.stowline.blob.ReplicaSettings;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobBench;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.error.ClosedException;
import io.stowline.transport.internal.http.FakeWire.Sent;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Staggered starts and the end of copies, in virtual time. */
@Timeout(60)
class ReplicaTimesTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final BlobBench bench = new BlobBench(settings -> settings);

    private ReplicaSet set(ReplicaSettings settings) {
        BlobContext source = bench.scope();
        return new ReplicaSet(source, List.of(source.service().container("copies")), settings);
    }

    private static ReplicaPublication publication(ReplicaSet replicas) {
        return new ReplicaPublication(replicas, (settings, source, etag, metadata) -> UploadSettings.builder()
                .metadata(metadata.apply(source.metadata()))
                .build());
    }

    @Test
    @DisplayName(
            "B1: the first read of an instance waits for a part of the time that its seed chooses; later ones do not"
                    + " wait")
    void staggered() throws Exception {
        long seed = LongStream.range(0, 1_000)
                .filter(each -> ReplicaOrder.startOf(each) > 0.4 && ReplicaOrder.startOf(each) < 0.6)
                .findFirst()
                .orElseThrow();
        ReplicaReads reads = new ReplicaReads(
                set(ReplicaSettings.builder().seed(seed).startWithin(MINUTE).build()));
        bench.wire().otherwise(404, "", "x-ms-error-code", "BlobNotFound");
        var first = bench.start(reads.whole("a", DownloadSettings.defaults()));
        bench.pass(Duration.ofSeconds(20));
        assertThat(bench.wire().sent()).isEmpty();
        bench.pass(MINUTE);
        first.failureNow();

        assertThat(bench.wire().sent()).hasSize(2).allSatisfy(request -> assertThat(
                        request.at().toMillis())
                .isCloseTo((long) (60_000 * ReplicaOrder.startOf(seed)), Offset.offset(2L)));
        bench.start(reads.whole("a", DownloadSettings.defaults())).failureNow();
        assertThat(bench.wire().sent()).hasSize(4);
    }

    @Test
    @DisplayName("B1: a copy names its end, and is removed then, in the version that was made")
    void expires() throws Exception {
        ReplicaSet replicas =
                set(ReplicaSettings.builder().expireAfter(Duration.ofHours(1)).build());
        bench.shows(BlobBench.OLD, BlobBench.OLD, "Content-Length", "10")
                .refuses(404, "BlobNotFound")
                .shows(BlobBench.OLD, BlobBench.OLD, "Content-Length", "10")
                .responds(201, "ETag", "\"c1\"")
                .responds(202);
        ReplicaReport report = bench.start(publication(replicas)
                        .publish("a", CopySettings.builder().build()))
                .valueNow();
        assertThat(report.copies()).singleElement().satisfies(copy -> assertThat(copy.action())
                .isEqualTo(Action.TRANSFERRED));
        Sent put = bench.wire().sent().get(3);
        assertThat(put.header("x-ms-meta-stowlinereplica")).matches("\\d+;\\d+;\"e1\"");
        bench.pass(Duration.ofMinutes(59));
        assertThat(bench.wire().sent()).hasSize(4);
        bench.pass(Duration.ofMinutes(2));
        bench.awaitSent(5);

        Sent removal = bench.wire().last();
        assertThat(removal.method()).isEqualTo("DELETE");
        assertThat(removal.url()).contains("/copies/a");
        assertThat(removal.header("If-Match")).isEqualTo("\"c1\"");
    }

    @Test
    @DisplayName("B1: a client that closes ends the wait for a copy's end, sends nothing for it, and leaves the copy")
    void closedBeforeTheEnd() throws Exception {
        ReplicaSet replicas =
                set(ReplicaSettings.builder().expireAfter(Duration.ofHours(1)).build());
        bench.shows(BlobBench.OLD, BlobBench.OLD, "Content-Length", "10")
                .refuses(404, "BlobNotFound")
                .shows(BlobBench.OLD, BlobBench.OLD, "Content-Length", "10")
                .responds(201, "ETag", "\"c1\"");
        bench.start(publication(replicas).publish("a", CopySettings.builder().build()))
                .valueNow();
        replicas.source().service().close(Duration.ofSeconds(1)).block();
        bench.pass(Duration.ofHours(2));

        assertThat(bench.wire().sent()).hasSize(4);
    }

    @Test
    @DisplayName("B1: a client that closes ends the wait of a staggered start with an error")
    void closedBeforeTheStart() throws Exception {
        ReplicaSet replicas = set(ReplicaSettings.builder()
                .seed(LongStream.range(0, 1_000)
                        .filter(each -> ReplicaOrder.startOf(each) > 0.4)
                        .findFirst()
                        .orElseThrow())
                .startWithin(MINUTE)
                .build());
        ReplicaReads reads = new ReplicaReads(replicas);
        var first = bench.start(reads.whole("a", DownloadSettings.defaults()));
        replicas.source().service().close(Duration.ofSeconds(1)).block();

        assertThatThrownBy(first::valueNow).hasRootCauseInstanceOf(ClosedException.class);
        assertThat(bench.wire().sent()).isEmpty();
    }
}
