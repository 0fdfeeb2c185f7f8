package io.stowline.blob.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.blob.LeaseLostException;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobBench;
import io.stowline.blob.internal.base.BlobBench.Running;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.operations.BlobOperations;
import io.stowline.blob.internal.operations.ContainerOperations;
import io.stowline.blob.internal.operations.TagOperations;
import io.stowline.blob.internal.upload.Upload;
import io.stowline.transport.internal.http.FakeWire.Sent;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

/** The renewals of a lease, its end, and the writes that name it. */
@Timeout(60)
class LeaseHolderTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final BlobBench bench = new BlobBench(settings -> settings);
    private final AtomicInteger losses = new AtomicInteger();

    private LeaseHolder held() throws Exception {
        bench.responds(201);
        LeaseHolder lease = bench.start(new LeaseOperations(bench.scope(), "leader").acquire(LEASE))
                .valueNow();
        lease.onLost(losses::incrementAndGet);
        lease.begin();
        return lease;
    }

    private List<Sent> renewals() {
        return bench.wire().sent().stream()
                .filter(request -> "renew".equals(request.header("x-ms-lease-action")))
                .toList();
    }

    @Test
    @DisplayName("LEASE-1: a lease is renewed at its half, by its id")
    void renewsAtHalf() throws Exception {
        LeaseHolder lease = held();
        bench.responds(200).responds(200);
        bench.pass(Duration.ofSeconds(31));

        assertThat(renewals()).extracting(Sent::at).containsExactly(Duration.ofSeconds(15), Duration.ofSeconds(30));
        assertThat(renewals())
                .extracting(request -> request.header("x-ms-lease-id"))
                .containsOnly(lease.id());
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(28));
    }

    @Test
    @DisplayName("LEASE-1: the time counts from the sending, not from the response")
    void countsFromTheSending() throws Exception {
        LeaseHolder lease = held();
        bench.wire().respondsAfter(Duration.ofSeconds(4), 200, "");
        bench.pass(Duration.ofSeconds(19));

        assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(25));
    }

    @Test
    @DisplayName(
            "LEASE-1: renewals that fail are repeated; without one the lease is lost a second before its end, once")
    void isLostInTime() throws Exception {
        LeaseHolder lease = held();
        bench.wire().otherwise(503, "");
        bench.pass(Duration.ofSeconds(29).minusMillis(1));
        assertThat(lease.isHeld()).isTrue();
        assertThat(losses).hasValue(0);
        bench.pass(Duration.ofMillis(1));

        assertThat(renewals()).hasSizeGreaterThan(3);
        assertThat(losses).hasValue(1);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        int sent = bench.wire().sent().size();
        bench.pass(Duration.ofMinutes(5));
        assertThat(bench.wire().sent()).hasSize(sent);
        lease.onLost(losses::incrementAndGet);
        assertThat(losses).hasValue(2);
    }

    @Test
    @DisplayName("LEASE-1: one lost renewal of several does no harm")
    void survivesLostRenewals() throws Exception {
        LeaseHolder lease = held();
        bench.wire().breaks(new IOException("Connection reset by peer"));
        bench.wire().staysSilent();
        bench.responds(200).responds(200);
        bench.pass(Duration.ofSeconds(35));

        assertThat(lease.isHeld()).isTrue();
        assertThat(losses).hasValue(0);
    }

    @Test
    @DisplayName("LEASE-1: a renewal that the service refuses loses the lease at once")
    void isRefused() throws Exception {
        LeaseHolder lease = held();
        bench.refuses(409, "LeaseIsBrokenAndCannotBeRenewed");
        bench.pass(Duration.ofSeconds(15));

        assertThat(losses).hasValue(1);
        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(() -> bench.start(lease.release()).valueNow())
                .hasCauseInstanceOf(LeaseLostException.class)
                .hasMessageContaining("the service has refused its renewal");
        bench.start(lease.releaseIfHeld()).valueNow();
        assertThat(bench.wire().sent()).hasSize(2);
    }

    @Test
    @DisplayName("LEASE-1: a released lease is not renewed, and not lost")
    void endsOnce() throws Exception {
        LeaseHolder lease = held();
        bench.responds(200);
        bench.start(lease.release()).valueNow();
        bench.pass(Duration.ofMinutes(2));

        assertThat(bench.wire().sent()).hasSize(2);
        assertThat(losses).hasValue(0);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    @DisplayName("LEASE-1: a lease is lost and given back when its client closes")
    void isGivenBackByClosing() throws Exception {
        LeaseHolder lease = held();
        bench.responds(200);
        bench.start(bench.scope().service().close(SECOND)).valueNow();

        assertThat(losses).hasValue(1);
        assertThat(lease.isHeld()).isFalse();
        assertThat(bench.wire().last().header("x-ms-lease-action")).isEqualTo("release");
    }

    @Test
    @DisplayName("LEASE-1: closing gives a lease back within its time, also where the service is silent")
    void closesInTime() throws Exception {
        for (int millis : new int[] {0, 50, 300}) {
            LeaseHolder lease = held();
            bench.wire().staysSilent();
            Running<Void> end = bench.start(bench.scope().service().close(Duration.ofMillis(millis)));
            bench.pass(Duration.ofMillis(Math.max(1, millis)));
            end.valueNow();

            assertThat(lease.isHeld()).isFalse();
        }
    }

    @Test
    @DisplayName("LEASE-1: the renewals go on with the id of a change")
    void renewsWithTheOtherId() throws Exception {
        LeaseHolder lease = held();
        bench.responds(200).responds(200);
        bench.start(lease.change()).valueNow();
        bench.pass(Duration.ofSeconds(15));

        assertThat(renewals())
                .extracting(request -> request.header("x-ms-lease-id"))
                .containsExactly(lease.id());
    }

    @Test
    @DisplayName("LEASE-3: a change and a release wait for the renewal in flight")
    void waitForTheRenewal() throws Exception {
        LeaseHolder lease = held();
        bench.wire().respondsAfter(Duration.ofSeconds(3), 200, "");
        bench.pass(Duration.ofSeconds(15));
        bench.responds(200).responds(200);
        var changing = bench.start(lease.change());
        assertThat(bench.wire().last().header("x-ms-lease-action")).isEqualTo("renew");
        bench.pass(Duration.ofSeconds(3));
        changing.valueNow();
        bench.start(lease.release()).valueNow();

        assertThat(bench.wire().sent())
                .extracting(request -> request.header("x-ms-lease-action"))
                .containsExactly("acquire", "renew", "change", "release");
        assertThat(bench.wire().last().header("x-ms-lease-id")).isEqualTo(lease.id());
        assertThat(losses).hasValue(0);
    }

    private Sent written(Mono<?> write, int status, String... headers) throws Exception {
        bench.responds(status, headers);
        bench.start(write).valueNow();
        return bench.wire().last();
    }

    @Test
    @DisplayName("LEASE-1: writes of a view name the lease, and reads do not")
    void writesNameIt() throws Exception {
        LeaseHolder lease = held();
        BlobContext view = lease.in(bench.scope());
        String id = lease.id();
        UploadSettings settings = UploadSettings.builder().overwrite().build();

        assertThat(written(new Upload(view, "leader", settings).bytes(new byte[3]), 201)
                        .header("x-ms-lease-id"))
                .isEqualTo(id);
        assertThat(written(new TagOperations(view).setTags("leader", Map.of("a", "b")), 204)
                        .header("x-ms-lease-id"))
                .isEqualTo(id);
        assertThat(written(new BlobOperations(view).delete("leader", null), 202).header("x-ms-lease-id"))
                .isEqualTo(id);
        assertThat(written(new BlobOperations(view).exists("leader"), 200, "x-ms-blob-type", "BlockBlob")
                        .header("x-ms-lease-id"))
                .isNull();
    }

    private void refused(Mono<?> write, Class<? extends Throwable> type, String message) {
        int sent = bench.wire().sent().size();
        assertThatThrownBy(() -> bench.start(write).valueNow())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(type)
                .hasMessageContaining(message);
        assertThat(bench.wire().sent()).hasSize(sent);
    }

    @Test
    @DisplayName("LEASE-1: a write that names a lost lease, or the lease of another blob, is not sent")
    void writesAreRefused() throws Exception {
        LeaseHolder lease = held();
        BlobContext view = lease.in(bench.scope());
        UploadSettings settings = UploadSettings.builder().overwrite().build();

        refused(new Upload(view, "other", settings).bytes(new byte[3]), IllegalArgumentException.class, "photos/other");
        refused(new BlobOperations(view).delete("other", null), IllegalArgumentException.class, "photos/leader");
        refused(new ContainerOperations(view).drop(), IllegalArgumentException.class, "photos/leader");
        bench.wire().otherwise(503, "");
        bench.pass(LEASE);
        refused(new Upload(view, "leader", settings).bytes(new byte[3]), LeaseLostException.class, "have passed");
        refused(new BlobOperations(view).delete("leader", null), LeaseLostException.class, "photos/leader");
        assertThatThrownBy(() -> lease.in(bench.scope().service().container("videos")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/videos");
        bench.pass(SECOND);
    }
}
