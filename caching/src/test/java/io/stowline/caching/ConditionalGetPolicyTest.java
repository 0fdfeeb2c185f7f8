package io.stowline.caching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import io.stowline.caching.internal.load.CacheKey;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

class ConditionalGetPolicyTest {

    private static final Freshness MINUTE = Freshness.fresh(Duration.ofMinutes(1));
    private static final String BLOB = FakeBlobs.HOST + "/box/blob";

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final ResponseCache cache = ResponseCache.builder().timer(time).build();
    private final FakeBlobs service = new FakeBlobs();
    private final HttpPipeline pipeline = service.pipeline(new ConditionalGetPolicy(cache, MINUTE));

    ConditionalGetPolicyTest() {
        service.blobs.put("/box/blob", "one");
    }

    @AfterEach
    void close() {
        cache.close();
    }

    private static HttpRequest get(String url) {
        return new HttpRequest(HttpMethod.GET, url);
    }

    private String send(HttpPipeline pipeline, HttpRequest request) {
        HttpResponse response = Objects.requireNonNull(pipeline.send(request).block(Duration.ofSeconds(30)));
        return reported(response);
    }

    private static String reported(HttpResponse response) {
        String body = response.getBodyAsString().block(Duration.ofSeconds(30));
        return response.getStatusCode() + " " + response.getHeaderValue(HttpHeaderName.fromString("x-stowline-cache"))
                + " " + body;
    }

    private String send(String url) {
        return send(pipeline, get(url));
    }

    @Test
    @DisplayName("CACHE-1: a 304 becomes the body that is kept")
    void a304BecomesTheBody() {
        assertThat(send(BLOB)).isEqualTo("200 miss one");
        assertThat(send(BLOB)).isEqualTo("200 hit one");
        time.advanceTimeBy(Duration.ofMinutes(1));
        assertThat(send(BLOB)).isEqualTo("200 revalidated one");
        time.advanceTimeBy(Duration.ofMinutes(1));
        service.blobs.put("/box/blob", "two");
        assertThat(send(BLOB)).isEqualTo("200 refreshed two");

        assertThat(service.bodies).isEqualTo(2);
        assertThat(service.requests).hasSize(3);
    }

    @Test
    void blockingCallsAreCachedLikewise() {
        assertThat(reported(pipeline.sendSync(get(BLOB), Context.NONE))).isEqualTo("200 miss one");
        assertThat(reported(pipeline.sendSync(get(BLOB), Context.NONE))).isEqualTo("200 hit one");
        time.advanceTimeBy(Duration.ofMinutes(1));
        assertThat(reported(pipeline.sendSync(get(BLOB), Context.NONE))).isEqualTo("200 revalidated one");
        service.failure = new UncheckedIOException(new IOException("reset"));
        time.advanceTimeBy(Duration.ofMinutes(1));
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> pipeline.sendSync(get(BLOB), Context.NONE));
        assertThat(service.bodies).isEqualTo(1);
    }

    @Test
    @Timeout(30)
    @DisplayName("CACHE-2: a reader whose leader is interrupted loads on its own thread, which is not interrupted")
    void interruptedLeader() throws Exception {
        CountDownLatch loading = new CountDownLatch(1);
        List<Thread> loaders = new CopyOnWriteArrayList<>();
        HttpClient blocking = new HttpClient() {
            @Override
            public Mono<HttpResponse> send(HttpRequest request) {
                return Mono.error(new AssertionError("not a blocking call"));
            }

            @Override
            public HttpResponse sendSync(HttpRequest request, Context context) {
                loaders.add(Thread.currentThread());
                if (loaders.size() == 1) {
                    loading.countDown();
                    awaitInterrupt();
                }
                if (Thread.currentThread().isInterrupted()) {
                    throw new UncheckedIOException(new InterruptedIOException("interrupted"));
                }
                return service.sendSync(request, context);
            }
        };
        HttpPipeline reading = new HttpPipelineBuilder()
                .policies(new ConditionalGetPolicy(cache, MINUTE))
                .httpClient(blocking)
                .build();
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread leader = new Thread(() -> {
            try {
                failure.complete(new AssertionError(reported(reading.sendSync(get(BLOB), Context.NONE))));
            } catch (Throwable e) {
                failure.complete(e);
            }
        });
        leader.start();
        loading.await();
        CompletableFuture<String> read = new CompletableFuture<>();
        Thread follower = new Thread(() -> {
            try {
                read.complete(reported(reading.sendSync(get(BLOB), Context.NONE)));
            } catch (Throwable e) {
                read.completeExceptionally(e);
            }
        });
        follower.start();
        while (follower.getState() != Thread.State.WAITING) {
            LockSupport.parkNanos(100_000);
        }
        leader.interrupt();

        assertThat(read.get()).isEqualTo("200 miss one");
        assertThat(failure.get()).hasRootCauseInstanceOf(InterruptedIOException.class);
        assertThat(loaders).containsExactly(leader, follower);
    }

    private static void awaitInterrupt() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aResponseIsAsTheServiceHasSentItForThisRequest() {
        service.more.put("x-ms-meta-k", "v");
        send(BLOB);
        HttpRequest request = get(BLOB).setHeader(HttpHeaderName.X_MS_CLIENT_REQUEST_ID, "second");
        HttpResponse response = Objects.requireNonNull(pipeline.send(request).block());

        assertThat(response.getRequest()).isSameAs(request);
        assertThat(response.getHeaderValue(HttpHeaderName.X_MS_CLIENT_REQUEST_ID))
                .isEqualTo("second");
        assertThat(response.getHeaderValue(HttpHeaderName.fromString("x-ms-meta-k")))
                .isEqualTo("v");
        assertThat(response.getHeaderValue(HttpHeaderName.CONTENT_LENGTH)).isEqualTo("3");
        assertThat(response.getBodyAsByteArray().block()).containsExactly('o', 'n', 'e');
        assertThat(response.getBodyAsBinaryData().toString()).isEqualTo("one");
        response.close();
    }

    @Test
    void propertiesAreKeptApartFromTheBody() {
        HttpRequest head = new HttpRequest(HttpMethod.HEAD, BLOB);
        assertThat(send(pipeline, head)).startsWith("200 miss");
        HttpResponse response = Objects.requireNonNull(pipeline.send(head).block());

        assertThat(reported(response)).startsWith("200 hit");
        assertThat(response.getHeaderValue(HttpHeaderName.CONTENT_LENGTH)).isEqualTo("3");
        assertThat(send(BLOB)).isEqualTo("200 miss one");
    }

    @Test
    @DisplayName("CACHE-4: HEAD is never conditional: an own write that keeps the ETag is seen")
    void ownWritesThatKeepTheEtagAreSeen() {
        HttpRequest head = new HttpRequest(HttpMethod.HEAD, BLOB);
        service.more.put("x-ms-access-tier", "Hot");
        send(pipeline, head);
        send(pipeline, new HttpRequest(HttpMethod.PUT, BLOB + "?comp=tier"));
        service.more.put("x-ms-access-tier", "Cool");
        HttpResponse again = Objects.requireNonNull(pipeline.send(head).block());

        assertThat(reported(again)).startsWith("200 revalidated");
        assertThat(again.getHeaderValue(HttpHeaderName.fromString("x-ms-access-tier")))
                .isEqualTo("Cool");
        assertThat(service.requests)
                .allSatisfy(request -> assertThat(request.getHeaders().getValue(HttpHeaderName.IF_NONE_MATCH))
                        .isNull());
    }

    @Test
    @DisplayName("CACHE-4: a part of a larger blob is asked about at each read, so that the parts after it are there")
    void aPartIsAskedAbout() {
        HttpRequest part = get(BLOB).setHeader(HttpHeaderName.fromString("x-ms-range"), "bytes=0-2");
        service.more.put("Content-Range", "bytes 0-2/6");
        assertThat(send(pipeline, part)).isEqualTo("206 miss one");
        assertThat(send(pipeline, part)).isEqualTo("206 revalidated one");
        service.blobs.put("/box/blob", "two");
        assertThat(send(pipeline, part)).isEqualTo("206 refreshed two");
        service.more.put("Content-Range", "bytes 0-2/3");
        service.blobs.put("/box/blob", "all");
        assertThat(send(pipeline, part)).isEqualTo("206 refreshed all");

        assertThat(send(pipeline, part)).isEqualTo("206 hit all");
    }

    @Test
    @DisplayName("CACHE-6: values that look like further headers or parameters are kept apart from these")
    void keysAreUnambiguous() {
        assertThat(RequestKey.of(get(BLOB + "?snapshot=1%2C%20versionid%3D2"), "s"))
                .isNotEqualTo(RequestKey.of(get(BLOB + "?snapshot=1&versionid=2"), "s"));
    }

    @Test
    @DisplayName("CACHE-6: range, snapshot, version and headers that decide over the response are part of the key")
    void whatDecidesOverTheResponseIsPartOfTheKey() {
        send(BLOB);
        HttpRequest range = get(BLOB).setHeader(HttpHeaderName.fromString("x-ms-range"), "bytes=0-1");
        assertThat(send(pipeline, range)).isEqualTo("206 miss one");
        assertThat(send(pipeline, range)).isEqualTo("206 hit one");
        assertThat(send(BLOB + "?snapshot=2026")).isEqualTo("200 miss one");
        assertThat(send(BLOB + "?versionid=2026")).isEqualTo("200 miss one");
        HttpRequest withKey = get(BLOB).setHeader(HttpHeaderName.fromString("x-ms-encryption-key"), "secret");
        assertThat(send(pipeline, withKey)).isEqualTo("200 miss one");
        HttpRequest asAnother = get(BLOB).setHeader(HttpHeaderName.AUTHORIZATION, "Bearer other");
        assertThat(send(pipeline, asAnother)).isEqualTo("200 miss one");

        assertThat(send(BLOB + "?timeout=5")).isEqualTo("200 hit one");
    }

    @Test
    @DisplayName("CACHE-6: one shared access signature is not given what another has read")
    void signaturesAreKeptApart() {
        assertThat(send(BLOB + "?sv=1&sig=a")).isEqualTo("200 miss one");
        assertThat(send(BLOB + "?sig=a&sv=1")).isEqualTo("200 hit one");
        assertThat(send(BLOB + "?sv=1&sig=b")).isEqualTo("200 miss one");
        CacheKey key = Objects.requireNonNull(RequestKey.of(get(BLOB + "?sv=1&sig=verysecret"), "scope"));

        assertThat(key.toString()).doesNotContain("verysecret").contains("account.blob.core.windows.net:443/box/blob");
    }

    @Test
    @DisplayName("CACHE-6: policies share answers only by name")
    void policiesShareByName() {
        HttpPipeline other = service.pipeline(new ConditionalGetPolicy(cache, MINUTE));
        HttpPipeline named = service.pipeline(new ConditionalGetPolicy(cache, MINUTE, "reader"));
        HttpPipeline namesake = service.pipeline(new ConditionalGetPolicy(cache, MINUTE, "reader"));
        send(BLOB);

        assertThat(send(other, get(BLOB))).isEqualTo("200 miss one");
        assertThat(send(named, get(BLOB))).isEqualTo("200 miss one");
        assertThat(send(namesake, get(BLOB))).isEqualTo("200 hit one");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/box/blob?comp=metadata",
                "/box?restype=container&comp=list",
                "/box/blob?prefix=x",
                "/queue/messages",
                "/Rows()"
            })
    void listingsAndQueriesGoPast(String path) {
        service.blobs.put(path.replaceAll("\\?.*", ""), "list");

        assertThat(send(FakeBlobs.HOST + path)).isEqualTo("200 null list");
        assertThat(send(FakeBlobs.HOST + path)).isEqualTo("200 null list");
        assertThat(service.bodies).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"If-Match", "If-None-Match", "If-Modified-Since", "x-ms-if-tags", "x-ms-lease-id"})
    void conditionsOfOnesOwnGoPast(String name) {
        send(BLOB);

        HttpRequest request = get(BLOB).setHeader(HttpHeaderName.fromString(name), "x");
        assertThat(send(pipeline, request)).isEqualTo("200 null one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE", "PATCH"})
    @DisplayName("CACHE-4: every other method invalidates what it names, whatever its end")
    void writesInvalidate(String method) {
        HttpRequest write = new HttpRequest(HttpMethod.valueOf(method), BLOB + "?comp=metadata");
        send(BLOB);
        send(pipeline, write);
        assertThat(send(BLOB)).isEqualTo("200 revalidated one");
        assertThat(send(BLOB)).isEqualTo("200 hit one");
        service.failing = 409;
        send(pipeline, write);
        service.failing = 0;
        assertThat(send(BLOB)).isEqualTo("200 revalidated one");
        pipeline.sendSync(write, Context.NONE).close();
        assertThat(send(BLOB)).isEqualTo("200 revalidated one");

        assertThat(send(BLOB)).isEqualTo("200 hit one");
    }

    @ParameterizedTest
    @CsvSource({"503, '', 35", "500, '?timeout=5', 10", "0, '', 35"})
    @DisplayName(
            "CACHE-4: a write without a response keeps everything from being fresh until it can no longer take effect")
    void aWriteWithoutAResponseHasAHorizon(int status, String query, int seconds) {
        send(BLOB);
        service.failing = status;
        service.failure = status == 0 ? new UncheckedIOException(new IOException("reset")) : null;
        pipeline.send(new HttpRequest(HttpMethod.PUT, BLOB + query))
                .onErrorComplete()
                .block();
        service.failing = 0;
        service.failure = null;

        time.advanceTimeBy(Duration.ofSeconds(seconds - 1));
        assertThat(send(BLOB)).isEqualTo("200 revalidated one");
        assertThat(send(BLOB)).isEqualTo("200 revalidated one");
        time.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(send(BLOB)).isEqualTo("200 revalidated one");
        assertThat(send(BLOB)).isEqualTo("200 hit one");
    }

    @Test
    @DisplayName(
            "CACHE-4: a write whose response was taken is no lost one, though it is cancelled after that; one that is"
                    + " cancelled before it is")
    void aWriteThatIsCancelledAfterItsResponseHasNoHorizon() {
        HttpRequest write = new HttpRequest(HttpMethod.PUT, BLOB);
        Flux.from(pipeline.send(write)).next().block();
        send(BLOB);
        assertThat(send(BLOB)).isEqualTo("200 hit one");
        service.hanging = true;
        pipeline.send(write).subscribe().dispose();
        service.hanging = false;
        assertThat(send(BLOB)).isEqualTo("200 revalidated one");

        assertThat(send(BLOB)).isEqualTo("200 revalidated one");
    }

    @Test
    @DisplayName(
            "CACHE-4: a container that is written as a whole invalidates its blobs, and a batch those of its container")
    void aContainerInvalidatesItsBlobs() {
        send(BLOB);
        send(pipeline, new HttpRequest(HttpMethod.DELETE, FakeBlobs.HOST + "/box?restype=container"));
        assertThat(send(BLOB)).isEqualTo("200 miss one");
        send(pipeline, new HttpRequest(HttpMethod.POST, FakeBlobs.HOST + "/?comp=batch"));
        assertThat(send(BLOB)).isEqualTo("200 miss one");

        assertThat(send(BLOB)).isEqualTo("200 hit one");
    }

    @Test
    void aReadThatFindsAnotherVersionInvalidatesToo() {
        send(BLOB);
        service.failing = 412;
        send(pipeline, get(BLOB).setHeader(HttpHeaderName.IF_MATCH, "\"0\""));
        service.failing = 0;

        assertThat(send(BLOB)).isEqualTo("200 revalidated one");
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 404, 409, 500, 503})
    void errorsAreGivenAsTheyAreAndNotKept(int status) {
        service.failing = status;
        assertThat(send(BLOB)).startsWith(status + " ").endsWith("failing");
        assertThat(send(BLOB)).startsWith(status + " ").endsWith("failing");

        assertThat(service.requests).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"200, text/html", "200, application/json", "404, text/html"})
    @DisplayName("WORLD-4: a response of a gateway is given as it is, and neither kept nor taken for absence")
    void responsesOfGatewaysAreNotKept(int status, String type) {
        int[] sent = {0};
        HttpPipeline gateway = new HttpPipelineBuilder()
                .policies(new ConditionalGetPolicy(cache, MINUTE.negative(Duration.ofSeconds(5))))
                .httpClient(request -> Mono.fromSupplier(() -> {
                    sent[0]++;
                    return new ReplayedResponse(
                            request,
                            status,
                            Map.of("Content-Type", type, "ETag", "\"p\""),
                            "page".getBytes(StandardCharsets.UTF_8));
                }))
                .build();

        assertThat(send(gateway, get(BLOB))).startsWith(status + " ").endsWith("page");
        assertThat(send(gateway, get(BLOB))).startsWith(status + " ").endsWith("page");
        assertThat(sent[0]).isEqualTo(2);
    }

    @Test
    void anAbsenceIsRememberedIfTheFreshnessSaysSo() {
        HttpPipeline remembering =
                service.pipeline(new ConditionalGetPolicy(cache, MINUTE.negative(Duration.ofSeconds(5))));
        String none = FakeBlobs.HOST + "/box/none";

        assertThat(send(remembering, get(none))).isEqualTo("404 miss ");
        assertThat(send(remembering, get(none))).isEqualTo("404 hit ");
        send(remembering, new HttpRequest(HttpMethod.PUT, none));
        assertThat(send(remembering, get(none))).isEqualTo("404 refreshed ");
    }

    @Test
    @DisplayName("CACHE-3: a service that cannot be asked is stood in for, a refusal is not")
    void staleIfTheServiceCannotBeRequested() {
        HttpPipeline patient =
                service.pipeline(new ConditionalGetPolicy(cache, MINUTE.staleIfError(Duration.ofHours(1))));
        send(patient, get(BLOB));
        time.advanceTimeBy(Duration.ofMinutes(2));
        service.failing = 503;
        assertThat(send(patient, get(BLOB))).isEqualTo("200 stale one");
        service.failing = 403;
        time.advanceTimeBy(Duration.ofSeconds(5));
        assertThat(send(patient, get(BLOB))).startsWith("403 ");
        service.failure = new UncheckedIOException(new IOException("reset"));

        assertThat(send(patient, get(BLOB))).isEqualTo("200 stale one");
    }

    @Test
    @DisplayName("CACHE-4: what comes from the secondary is given and not kept")
    void theSecondaryIsNotKept() {
        service.route = request -> request.copy().setUrl("https://account-secondary.blob.core.windows.net/box/blob");
        assertThat(send(BLOB)).isEqualTo("200 miss one");

        assertThat(send(BLOB)).isEqualTo("200 miss one");
    }

    @Test
    @DisplayName("RETRY-10: a response of the secondary that nothing has changed is stale, and makes nothing fresh")
    void theSecondaryRevalidatesNothing() {
        send(BLOB);
        time.advanceTimeBy(Duration.ofMinutes(2));
        service.route = request -> request.copy().setUrl("https://account-secondary.blob.core.windows.net/box/blob");
        assertThat(send(BLOB)).isEqualTo("200 stale one");
        service.route = request -> request;
        assertThat(send(BLOB)).isEqualTo("200 revalidated one");

        assertThat(send(BLOB)).isEqualTo("200 hit one");
    }

    @Test
    @DisplayName("CACHE-6: the same blob has the same key however its name is escaped")
    void namesAreComparedUnescaped() {
        CacheKey plain = RequestKey.of(get("https://Account.blob.core.windows.net/box/a%2Bb%20c"), "s");

        assertThat(RequestKey.of(get("https://account.blob.core.windows.net:443/box/a+b%20c"), "s"))
                .isEqualTo(plain)
                .isNotEqualTo(RequestKey.of(get("https://account.blob.core.windows.net/box/a%20b%20c"), "s"));
    }

    @Test
    void itStandsBeforeTheRetryPolicy() {
        assertThat(new ConditionalGetPolicy(cache, MINUTE).getPipelinePosition())
                .isEqualTo(HttpPipelinePosition.PER_CALL);
    }
}
