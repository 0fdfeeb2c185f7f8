package io.stowline.blob.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.ReactiveBlobContainer;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** Uploads in blocks over one line of little bandwidth, which all requests in flight share, in virtual time. */
@Timeout(60)
class SlowUploadsTest {

    private static final Duration STEP = Duration.ofMillis(100);
    private static final int MIB = 1 << 20;
    private static final int MBIT = 125_000;
    private static final int SLICE = 64 << 10;

    private final PlayTime time = new PlayTime();
    private final Queue<Sending> arrivals = new ConcurrentLinkedQueue<>();
    private final List<Sending> inFlight = new ArrayList<>();
    private long sent;

    /** A request that the line carries. */
    private static final class Sending {

        final HttpRequest request;
        final SimulatedConnection.Line line;
        final MonoSink<HttpResponse> response;
        final long size;
        long left;
        boolean over;

        Sending(HttpRequest request, SimulatedConnection.Line line, MonoSink<HttpResponse> response) {
            this.request = request;
            this.line = line;
            this.response = response;
            String length = request.getHeaders().getValue(HttpHeaderName.CONTENT_LENGTH);
            this.size = length == null ? 0 : Long.parseLong(length);
            this.left = size;
            response.onCancel(() -> over = true);
        }

        /** Takes its share; our HTTP client reports each slice that has left. */
        long take(long share) {
            long taken = Math.min(share, left);
            boolean slice = (size - left + taken) / SLICE > (size - left) / SLICE;
            left -= taken;
            if (slice) {
                line.moved();
            }
            return taken;
        }

        void end() {
            over = true;
            line.whole();
            boolean put = request.getHttpMethod() == HttpMethod.PUT;
            HttpHeaders headers = new HttpHeaders()
                    .set(HttpHeaderName.ETAG, "\"e1\"")
                    .set(HttpHeaderName.LAST_MODIFIED, "Thu, 29 Feb 2024 12:00:00 GMT");
            if (!put) {
                headers.set(HttpHeaderName.fromString("x-ms-error-code"), "BlobNotFound");
            }
            response.success(SimulatedConnection.response(
                    request, put ? 201 : 404, headers, "".getBytes(StandardCharsets.US_ASCII)));
        }
    }

    private ReactiveBlobContainer container(int parallelism) {
        ClientRuntime runtime = SimulatedConnection.open(
                new SimulatedConnection.Machine(time, Bench.START, new Random(1), Runnable::run),
                Bench.settings(parallelism, RetrySettings.defaults()),
                true,
                (request, line) -> Mono.create(sink -> {
                    line.begin();
                    arrivals.add(new Sending(request, line, sink));
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

    /** Lets time pass until all have ended; threads that hash are waited for. */
    private void play(int bytesPerSecond, List<CompletableFuture<BlobWriteResult>> uploads) {
        while (!uploads.stream().allMatch(CompletableFuture::isDone)) {
            for (Sending next = arrivals.poll(); next != null; next = arrivals.poll()) {
                inFlight.add(next);
            }
            inFlight.removeIf(one -> one.over);
            if (inFlight.isEmpty() && !time.goOn()) {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
            } else {
                carry(bytesPerSecond * STEP.toMillis() / 1_000);
                time.advanceTimeBy(STEP);
            }
        }
    }

    private void carry(long bytes) {
        long share = bytes / Math.max(1, inFlight.size()) + 1;
        for (Sending one : List.copyOf(inFlight)) {
            sent += one.take(share);
            if (one.left == 0 && !one.over) {
                one.end();
            }
        }
    }

    private static byte[] content(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    @Test
    @DisplayName("TRANSFER-7: 8 blocks of 8 MiB go over 1 Mbit/s, each of them once")
    void oneUploadOverOneMegabit() {
        byte[] content = content(64 * MIB);
        CompletableFuture<BlobWriteResult> upload =
                container(8).upload(content, "big", with -> with.parallelism(8)).toFuture();

        play(MBIT, List.of(upload));

        assertThat(upload.join().size()).isEqualTo(content.length);
        assertThat(sent).isBetween((long) content.length, content.length * 102L / 100);
    }

    @Test
    @DisplayName("TRANSFER-7: 50 uploads at once go over 100 Mbit/s, each block once")
    void fiftyUploadsOverHundredMegabits() {
        byte[] content = content(9 * MIB);
        ReactiveBlobContainer container = container(64);
        List<CompletableFuture<BlobWriteResult>> uploads = IntStream.range(0, 50)
                .mapToObj(i -> container.upload(content, "photo" + i).toFuture())
                .toList();

        play(100 * MBIT, uploads);

        assertThat(uploads)
                .allSatisfy(upload -> assertThat(upload.join().size()).isEqualTo(content.length));
        assertThat(sent).isBetween(50L * content.length, 50L * content.length * 102 / 100);
    }
}
