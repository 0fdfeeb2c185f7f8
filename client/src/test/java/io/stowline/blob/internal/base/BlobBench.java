package io.stowline.blob.internal.base;

import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.util.DateTimeRfc1123;
import io.stowline.access.internal.SasSigner;
import io.stowline.error.StorageException;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.ConnectionString;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.concurrent.Callbacks;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.pipeline.ViewSettings;
import io.stowline.transport.internal.sdk.SdkCalls;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/** A container over a scripted wire and a virtual clock, for what takes time. */
public final class BlobBench {

    /** The name of the header that carries the mark. */
    public static final String MARK = "x-ms-meta-stowlinewrite";

    /** The service's clock at each read-back. */
    public static final Instant NOW = Instant.parse("2024-02-29T12:00:00Z");

    /** Long before any test. */
    public static final Instant OLD = Instant.parse("2020-01-01T00:00:00Z");

    private static final String ENDPOINT = "https://acct.blob.core.windows.net";

    private final Bench bench;
    private final BlobService service;

    public BlobBench() {
        this(settings -> settings.deadline(Duration.ofDays(1)));
    }

    public BlobBench(UnaryOperator<RetrySettings.Builder> settings) {
        this(new Bench(), settings);
    }

    /** A container of an account with limits of its own. */
    public BlobBench(Bench bench, UnaryOperator<RetrySettings.Builder> settings) {
        this.bench = bench;
        service = new BlobService(
                "acct",
                () -> URI.create(ENDPOINT),
                SdkCalls.of(
                        bench.pipeline(),
                        ViewSettings.of(
                                settings.apply(RetrySettings.builder()).build(),
                                Bench.reads(Service.BLOB, bench.pipeline()))),
                new BlobService.Surroundings(
                        bench.pipeline().timer(),
                        Callbacks.on(Runnable::run),
                        bench.cache(),
                        List.of(),
                        new SasSigner(
                                ConnectionString.parse("AccountName=acct;AccountKey=a2V5;BlobEndpoint=" + ENDPOINT),
                                Service.BLOB,
                                bench.pipeline(),
                                RetrySettings.defaults())));
    }

    public FakeWire wire() {
        return bench.wire();
    }

    public BlobContext scope() {
        return service.container("photos");
    }

    /** The mark that the first request has sent. */
    public String mark() {
        return wire().sent().get(0).header(MARK);
    }

    public BlobBench losesTheResponse() {
        wire().breaks(new IOException("Connection reset by peer"));
        return this;
    }

    public BlobBench responds(int status, String... headers) {
        wire().responds(status, "", dressed(headers));
        return this;
    }

    public BlobBench refuses(int status, String code) {
        return responds(status, "x-ms-error-code", code);
    }

    /** Makes the next read-back find a blob or container that was made and written then. */
    public BlobBench shows(Instant made, Instant written, String... headers) {
        List<String> all = new ArrayList<>(List.of(
                "x-ms-blob-type",
                "BlockBlob",
                "x-ms-creation-time",
                date(made),
                "Last-Modified",
                date(written),
                "Date",
                date(NOW)));
        all.addAll(List.of(headers));
        return responds(200, all.toArray(String[]::new));
    }

    private static String[] dressed(String... headers) {
        List<String> all = new ArrayList<>(
                List.of("ETag", "\"e1\"", "Last-Modified", date(NOW), "x-ms-request-server-encrypted", "true"));
        all.addAll(List.of(headers));
        return all.toArray(String[]::new);
    }

    public static String date(Instant time) {
        return new DateTimeRfc1123(time.atOffset(ZoneOffset.UTC)).toString();
    }

    public void pass(Duration time) {
        bench.pass(time);
    }

    /** Waits for requests: the SDK may read a response on its own thread before it sends the next one. */
    public void awaitSent(int requests) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (wire().sent().size() < requests) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("no more sent than " + wire().sent());
            }
            LockSupport.parkNanos(100_000);
        }
    }

    public <A> Running<A> start(Mono<A> mono) {
        return new Running<>(mono.toFuture());
    }

    /** An operation in flight. */
    public final class Running<A> {

        private final CompletableFuture<A> future;

        private Running(CompletableFuture<A> future) {
            this.future = future;
        }

        /** Returns its value, however much virtual time it takes. */
        public A value() throws Exception {
            for (int i = 0; i < 1_000; i++) {
                try {
                    return future.get(20, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    pass(Duration.ofSeconds(1));
                }
            }
            throw new AssertionError("it does not end; sent " + wire().sent());
        }

        /** Returns its value, without more virtual time. */
        public A valueNow() throws Exception {
            return future.get(20, TimeUnit.SECONDS);
        }

        public StorageException failure() {
            return failed(catchThrowable(this::value));
        }

        public StorageException failureNow() {
            return failed(catchThrowable(this::valueNow));
        }

        private StorageException failed(Throwable thrown) {
            if (thrown instanceof ExecutionException && thrown.getCause() instanceof StorageException failed) {
                return failed;
            }
            throw new AssertionError("no storage exception", thrown);
        }
    }
}
