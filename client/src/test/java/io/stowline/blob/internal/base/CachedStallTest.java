package io.stowline.blob.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.internal.cache.CachedBlobs;
import io.stowline.caching.CachedRead;
import io.stowline.caching.Freshness;
import io.stowline.error.DeadlineExceededException;
import io.stowline.retry.RetrySettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** Cached blobs whose transfer stands still, in virtual time. */
@Timeout(60)
class CachedStallTest {

    private static final String CONTENT = "the content of a blob";

    private final BlobBench bench = new BlobBench();

    private static String[] headers(int from) {
        int length = CONTENT.length();
        return new String[] {
            "ETag",
            "\"v1\"",
            "Last-Modified",
            BlobBench.date(BlobBench.OLD),
            "Content-Length",
            Integer.toString(length - from),
            "Content-Range",
            "bytes " + from + "-" + (length - 1) + "/" + length,
            "x-ms-blob-type",
            "BlockBlob"
        };
    }

    private void standsStillAfter(int from, int bytes) {
        byte[] begun = CONTENT.substring(from, from + bytes).getBytes(StandardCharsets.UTF_8);
        bench.wire().standsStillAfter(begun, 206, headers(from));
    }

    private Mono<CachedRead<byte[]>> read(Duration deadline) {
        RetrySettings settings =
                bench.scope().retry().toBuilder().deadline(deadline).build();
        return new CachedBlobs(bench.scope().with(settings), Freshness.revalidated(), false).download("a", 1_000);
    }

    private static String text(CachedRead<byte[]> read) {
        return new String(Objects.requireNonNull(read.get()), StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("CACHE-2: a load that stands still is taken up again where it stopped, for all of its readers")
    void aStalledLoadIsRetriedForAll() throws Exception {
        standsStillAfter(0, 4);
        bench.wire().responds(206, CONTENT.substring(4), headers(4));
        BlobBench.Running<CachedRead<byte[]>> leader = bench.start(read(Duration.ofDays(1)));
        BlobBench.Running<CachedRead<byte[]>> follower = bench.start(read(Duration.ofDays(1)));

        assertThat(text(leader.value())).isEqualTo(CONTENT);
        assertThat(text(follower.valueNow())).isEqualTo(CONTENT);
        assertThat(bench.wire().sent()).hasSize(2);
        assertThat(bench.wire().last().header("x-ms-range")).startsWith("bytes=4-");
        assertThat(bench.wire().cancelled()).as("the attempt that stood still").isEqualTo(1);
    }

    @Test
    @DisplayName("CACHE-2: a follower does not wait for a load that stands still beyond its own deadline")
    void aFollowerEndsOnTime() {
        standsStillAfter(0, 4);
        Disposable leader = read(Duration.ofDays(1)).subscribe();
        bench.awaitSent(1);
        BlobBench.Running<CachedRead<byte[]>> follower = bench.start(read(Duration.ofSeconds(5)));
        bench.pass(Duration.ofSeconds(5));

        assertThat(follower.failureNow())
                .isInstanceOf(DeadlineExceededException.class)
                .hasMessageContaining("the deadline of PT5S is over");
        assertThat(leader.isDisposed()).isFalse();
        assertThat(bench.wire().sent()).hasSize(1);
        leader.dispose();
    }

    @Test
    @DisplayName("CACHE-2: a follower whom the leader of a load that stands still leaves is served by the next attempt")
    void aFollowerOutlivesItsLeader() throws Exception {
        standsStillAfter(0, 4);
        bench.wire().responds(206, CONTENT.substring(4), headers(4));
        Disposable leader = read(Duration.ofDays(1)).subscribe();
        bench.awaitSent(1);
        BlobBench.Running<CachedRead<byte[]>> follower = bench.start(read(Duration.ofDays(1)));
        leader.dispose();

        assertThat(text(follower.value())).isEqualTo(CONTENT);
        assertThat(bench.scope().service().memory().now()).isZero();
    }

    @Test
    @DisplayName(
            "CACHE-2: when the last reader of a load that stands still leaves, its connection and memory are free, and"
                    + " the next read works")
    void theLastReaderFreesAll() throws Exception {
        standsStillAfter(0, 4);
        bench.wire().responds(206, CONTENT, headers(0));
        Disposable leader = read(Duration.ofDays(1)).subscribe();
        bench.awaitSent(1);
        BlobBench.Running<CachedRead<byte[]>> follower = bench.start(read(Duration.ofSeconds(5)));
        leader.dispose();
        bench.pass(Duration.ofSeconds(5));
        assertThat(follower.failureNow()).isInstanceOf(DeadlineExceededException.class);
        assertThat(bench.wire().cancelled()).isEqualTo(1);
        assertThat(bench.scope().service().memory().now()).isZero();

        assertThat(text(bench.start(read(Duration.ofSeconds(5))).valueNow())).isEqualTo(CONTENT);
    }
}
