package io.stowline.blob.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.blob.Transfer;
import io.stowline.blob.TransferReport;
import io.stowline.blob.TransferReport.Item;
import io.stowline.blob.internal.client.DefaultBlobContainer;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.concurrent.Callbacks;
import io.stowline.transport.internal.http.PlayTime;
import io.stowline.transport.internal.http.SimulatedConnection;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** Transfers of directories by one client that serves few requests at a time, in virtual time. */
@Timeout(60)
class FairTransfersTest {

    private static final Duration STEP = Duration.ofMillis(100);
    private static final int PERMITS = 4;
    private static final int MANY = 400;
    private static final int FEW = 40;
    private static final int BEGUN = 50;

    private final PlayTime time = new PlayTime();
    private final Queue<Waiting> arrivals = new ConcurrentLinkedQueue<>();

    private record Waiting(HttpRequest request, SimulatedConnection.Line line, MonoSink<HttpResponse> response) {}

    private ReactiveBlobContainer container() {
        ClientRuntime runtime = SimulatedConnection.open(
                new SimulatedConnection.Machine(time, Bench.START, new Random(1), Runnable::run),
                Bench.settings(PERMITS, RetrySettings.defaults()),
                true,
                (request, line) -> Mono.create(sink -> {
                    line.begin();
                    arrivals.add(new Waiting(request, line, sink));
                }));
        StoragePipeline pipeline = runtime.to(Service.BLOB);
        BlobService service = new BlobService(
                "acct",
                () -> URI.create("https://acct.blob.core.windows.net"),
                Bench.calls(Service.BLOB, pipeline),
                new BlobService.Surroundings(
                        time, Callbacks.on(Runnable::run), new Bench().cache(), List.of(), Bench.signer(Service.BLOB)));
        return DefaultBlobContainer.of(service, "photos").reactive();
    }

    /** Each step responds to all requests in flight. */
    private void play(Supplier<CompletableFuture<TransferReport>> end) {
        while (!end.get().isDone()) {
            if (arrivals.isEmpty() && !time.goOn()) {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
                continue;
            }
            time.advanceTimeBy(STEP);
            for (Waiting next : IntStream.range(0, arrivals.size())
                    .mapToObj(i -> arrivals.remove())
                    .toList()) {
                next.line.whole();
                next.response.success(respond(next.request));
            }
        }
    }

    private static HttpResponse respond(HttpRequest request) {
        HttpHeaders headers = new HttpHeaders()
                .set(HttpHeaderName.ETAG, "\"v1\"")
                .set(HttpHeaderName.fromString("x-ms-blob-type"), "BlockBlob")
                .set(HttpHeaderName.LAST_MODIFIED, "Thu, 29 Feb 2024 12:00:00 GMT");
        String query = String.valueOf(request.getUrl().getQuery());
        if (query.contains("comp=list")) {
            byte[] page = query.contains("prefix=many") ? page("many/", MANY) : page("few/", FEW);
            return SimulatedConnection.response(
                    request, 200, headers.set(HttpHeaderName.CONTENT_TYPE, "application/xml"), page);
        }
        return request.getHttpMethod() == HttpMethod.PUT
                ? SimulatedConnection.response(request, 201, headers, new byte[0])
                : SimulatedConnection.response(
                        request, 206, headers.set(HttpHeaderName.CONTENT_RANGE, "bytes 0-0/1"), new byte[1]);
    }

    private static byte[] page(String prefix, int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> "<Blob><Name>" + prefix + i + "</Name><Properties>"
                        + "<Last-Modified>Thu, 29 Feb 2024 12:00:00 GMT</Last-Modified><Etag>v1</Etag>"
                        + "<Content-Length>1</Content-Length><BlobType>BlockBlob</BlobType></Properties></Blob>")
                .collect(Collectors.joining(
                        "",
                        "<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults><Blobs>",
                        "</Blobs><NextMarker/></EnumerationResults>"))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static CompletableFuture<TransferReport> copy(
            ReactiveBlobContainer photos, String prefix, int parallelism, Consumer<Item> ended) {
        return photos.copyDirectory(prefix, photos, "to-" + prefix, with -> with.streamed()
                        .overwrite(Overwrite.ALWAYS)
                        .parallelism(parallelism)
                        .eachItem(ended))
                .flatMap(Transfer::whenComplete)
                .toFuture();
    }

    @Test
    @DisplayName("TRANSFER-3: a directory that comes later has as many requests in flight as the one that is there")
    void sharesEvenly() {
        ReactiveBlobContainer photos = container();
        AtomicInteger many = new AtomicInteger();
        AtomicInteger few = new AtomicInteger();
        AtomicReference<CompletableFuture<TransferReport>> later = new AtomicReference<>(new CompletableFuture<>());
        CompletableFuture<TransferReport> first = copy(photos, "many", 16, item -> {
            if (many.incrementAndGet() == BEGUN) {
                later.set(copy(photos, "few", 16, one -> few.incrementAndGet()));
            }
        });

        play(later::get);

        assertThat(later.get().join().transferred()).isEqualTo(FEW);
        assertThat(few).hasValue(FEW);
        assertThat(many.get() - BEGUN).isBetween(FEW / 2, 2 * FEW);
        play(() -> first);
        assertThat(first.join().transferred()).isEqualTo(MANY);
    }

    @Test
    @DisplayName("TRANSFER-3: a directory of one blob at a time advances beside one of many")
    void starvesNone() {
        ReactiveBlobContainer photos = container();
        AtomicInteger few = new AtomicInteger();
        CompletableFuture<TransferReport> narrow = copy(photos, "few", 1, item -> few.incrementAndGet());
        CompletableFuture<TransferReport> wide = copy(photos, "many", 64, item -> {});

        play(() -> wide);
        assertThat(few.get()).isGreaterThanOrEqualTo(MANY / 65 - 1);
        play(() -> narrow);
        assertThat(narrow.join().transferred()).isEqualTo(FEW);
    }
}
