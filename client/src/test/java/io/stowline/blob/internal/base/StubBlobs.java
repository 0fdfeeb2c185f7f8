package io.stowline.blob.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.internal.client.DefaultBlobContainer;
import io.stowline.blob.internal.transfer.TransferMemory;
import io.stowline.observe.StowlineListener;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.ConnectionString;
import io.stowline.transport.internal.account.StorageAccount;
import io.stowline.transport.internal.client.ClientRuntime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A blob service that responds as a test says and remembers the requests, with a client of it. */
public final class StubBlobs implements AutoCloseable {

    private static final String ACCOUNT = "acct";
    private static final String KEY = "a2V5";

    /** The requests. */
    @SuppressWarnings("ArrayRecordComponent")
    public record StubRequest(String method, String path, String query, Map<String, String> headers, byte[] body) {

        public String header(String name) {
            return headers.get(name.toLowerCase(Locale.ROOT));
        }

        /** Returns whether it is this operation, by its query. */
        public boolean is(String method, String comp) {
            return this.method.equals(method)
                    && (comp.isEmpty() ? !query.contains("comp=") : query.contains("comp=" + comp));
        }
    }

    /** A response; a body that is shorter than its length breaks off. */
    @SuppressWarnings("ArrayRecordComponent")
    public record BlobStubResponse(int status, Map<String, String> headers, byte[] body, int length, boolean hangs) {

        /** The value of a header that is not sent, for the length, which each response has otherwise. */
        public static final String ABSENT = "absent";

        public static BlobStubResponse of(int status) {
            return new BlobStubResponse(status, Map.of(), new byte[0], 0, false)
                    .with("ETag", "\"e1\"")
                    .with("Last-Modified", "Thu, 29 Feb 2024 12:00:00 GMT")
                    .with("x-ms-request-server-encrypted", "true")
                    .with("x-ms-request-id", "r-1");
        }

        public static BlobStubResponse refusal(int status, String code) {
            return of(status).with("x-ms-error-code", code);
        }

        public BlobStubResponse without(String name) {
            Map<String, String> fewer = new LinkedHashMap<>(headers);
            fewer.remove(name);
            return new BlobStubResponse(status, fewer, body, length, hangs);
        }

        public BlobStubResponse with(String name, String value) {
            Map<String, String> more = new LinkedHashMap<>(headers);
            more.put(name, value);
            return new BlobStubResponse(status, more, body, length, hangs);
        }

        public BlobStubResponse body(byte[] content) {
            return new BlobStubResponse(status, headers, content, content.length, false);
        }

        /** Returns the response, of which only so many bytes arrive. */
        public BlobStubResponse cutAfter(int bytes) {
            return new BlobStubResponse(status, headers, Arrays.copyOf(body, bytes), length, false);
        }

        /** Returns the response, whose rest never comes. */
        public BlobStubResponse standingStillAfter(int bytes) {
            return new BlobStubResponse(status, headers, Arrays.copyOf(body, bytes), length, true);
        }
    }

    private final List<StubRequest> requested = new CopyOnWriteArrayList<>();
    private final BlobStubServer server;
    private final ClientRuntime runtime;
    private final BlobService service;
    private volatile Function<StubRequest, BlobStubResponse> responses;

    public StubBlobs(Function<StubRequest, BlobStubResponse> responses) {
        this(responses, settings -> settings);
    }

    public StubBlobs(Function<StubRequest, BlobStubResponse> responses, UnaryOperator<RetrySettings.Builder> settings) {
        this(responses, settings, new StowlineListener() {});
    }

    /** A client with a listener. */
    public StubBlobs(
            Function<StubRequest, BlobStubResponse> responses,
            UnaryOperator<RetrySettings.Builder> settings,
            StowlineListener listener) {
        this.responses = responses;
        server = new BlobStubServer(this::respond);
        RetrySettings retry = settings.apply(RetrySettings.builder().backoff(Backoff.fixed(Duration.ofMillis(1))))
                .build();
        StorageAccount account = ConnectionString.parse("AccountName=" + ACCOUNT + ";AccountKey=" + KEY
                + ";BlobEndpoint=http://127.0.0.1:" + server.port() + "/" + ACCOUNT);
        runtime = ClientRuntime.open(account, Bench.settings(8, retry).with(listener));
        service = new BlobService(account, runtime, retry);
    }

    public BlobContainer container() {
        return DefaultBlobContainer.of(service, "photos");
    }

    public BlobContext scope() {
        return service.container("photos");
    }

    public TransferMemory memory() {
        return service.memory();
    }

    public void respond(Function<StubRequest, BlobStubResponse> responses) {
        this.responses = responses;
    }

    public List<StubRequest> requested() {
        return requested;
    }

    public List<StubRequest> requested(String method, String comp) {
        return requested.stream().filter(request -> request.is(method, comp)).toList();
    }

    private BlobStubResponse respond(StubRequest request) {
        requested.add(request);
        try {
            return responses.apply(request);
        } catch (RuntimeException | Error e) {
            return BlobStubResponse.refusal(400, "TestFailed").body(e.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Waits in a response or a test for its condition. */
    public static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Closes the client, whatever is in flight. */
    public void abandon() {
        runtime.close(Duration.ZERO).block();
    }

    /** Begins to close the client, which waits for what is in flight. */
    public CompletableFuture<Void> closing() {
        return runtime.close(Duration.ofMinutes(2)).toFuture();
    }

    @Override
    public void close() {
        runtime.close(Duration.ofSeconds(20)).block();
        server.close();
    }
}
