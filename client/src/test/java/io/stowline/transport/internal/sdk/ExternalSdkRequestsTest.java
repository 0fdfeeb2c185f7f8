package io.stowline.transport.internal.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.tuple;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.http.policy.RetryOptions;
import com.azure.core.http.policy.RetryPolicy;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.core.util.Contexts;
import com.azure.core.util.ProgressReporter;
import io.stowline.StorageRetryPolicy;
import io.stowline.observe.AttemptReason;
import io.stowline.observe.AttemptRecorder;
import io.stowline.observe.AttemptRecorder.SeenAttempt;
import io.stowline.observe.RequestEnd;
import io.stowline.retry.AttemptEnd;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.StopReason;
import io.stowline.retry.internal.gate.GateTimeoutException;
import io.stowline.retry.internal.timeout.AttemptTimeoutException;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.pipeline.StoragePipeline.TimeSources;
import io.stowline.transport.internal.sdk.ExternalSdkRequests.ExternalSdkSettings;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.test.scheduler.VirtualTimeScheduler;

/** The rules of the pipeline for requests that another client's pipeline carries, on a virtual clock. */
class ExternalSdkRequestsTest {

    private static final RetrySettings SETTINGS = RetrySettings.builder()
            .backoff(Backoff.fixed(Duration.ofSeconds(2)))
            .retries(2)
            .build();

    private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    private final FakeWire wire = new FakeWire(timer);
    private final List<RequestEnd> facts = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final AttemptRecorder recorder = new AttemptRecorder();
    private final ExternalSdkRequests requests = new ExternalSdkRequests(
            new ExternalSdkSettings(SETTINGS, 1, false, 0, recorder),
            new TimeSources(timer, () -> Long.MIN_VALUE, Clock.fixed(Bench.START, ZoneOffset.UTC)),
            warnings::add);

    private CompletableFuture<HttpResponse> send(HttpRequest request, HttpPipelinePolicy... below) {
        return send(request, Context.NONE, below);
    }

    private CompletableFuture<HttpResponse> send(HttpRequest request, Context data, HttpPipelinePolicy... below) {
        HttpPipelinePolicy policy =
                (context, next) -> requests.send(context, () -> next.clone().process());
        return new HttpPipelineBuilder()
                .httpClient(wire)
                .policies(policy)
                .policies(below)
                .build()
                .send(request, StorageRetryPolicy.observing(data, facts::add))
                .toFuture();
    }

    private static HttpRequest read() {
        return new HttpRequest(HttpMethod.GET, "https://acct.queue.core.windows.net/orders/messages");
    }

    private static HttpRequest message() {
        return new HttpRequest(HttpMethod.POST, "https://acct.queue.core.windows.net/orders/messages")
                .setBody(BinaryData.fromString("<hello/>"));
    }

    private List<String> reasons() {
        assertThat(facts).hasSize(1);
        return facts.get(0).attempts().stream().map(AttemptEnd::reason).toList();
    }

    @Test
    @DisplayName("the listener gets each attempt, with the account and service of its address, and one gate for all")
    void reportsAttempts() {
        wire.responds(503, Bench.jsonError("ServerBusy", "busy"))
                .responds(200, "done")
                .responds(200, "done");

        send(read());
        timer.advanceTimeBy(Duration.ofMinutes(1));
        send(new HttpRequest(HttpMethod.GET, "http://127.0.0.1:10000/local/photos/a.jpg"));

        assertThat(recorder.seen())
                .extracting(
                        SeenAttempt::account,
                        SeenAttempt::service,
                        SeenAttempt::container,
                        SeenAttempt::partition,
                        SeenAttempt::number,
                        SeenAttempt::reason)
                .containsExactly(
                        tuple("acct", "queue", "orders", null, 1, AttemptReason.THROTTLED_PARTITION),
                        tuple("acct", "queue", "orders", null, 2, AttemptReason.SUCCESS),
                        tuple("local", "blob", "photos", "a.jpg", 1, AttemptReason.SUCCESS));
    }

    @ParameterizedTest
    @DisplayName("an address that does not show its service has that of the SDK's method")
    @CsvSource({
        "http://azurite:10001/local/orders,com.azure.storage.queue.implementation.QueuesImpl$QueuesService.createSync,"
                + "local,QUEUE",
        "http://127.0.0.1:1/local/people(),com.azure.data.tables.implementation.TablesImpl$TablesService.x,local,TABLE",
        "http://127.0.0.1:1,com.azure.storage.blob.implementation.ServicesImpl$ServicesService.x,127.0.0.1,BLOB",
        "https://cdn.example.com/photos/a,,cdn.example.com,BLOB",
        "https://acct-secondary.table.core.windows.net/people(),,acct,TABLE"
    })
    void originsOfRequests(String url, String method, String account, Service service) {
        Context data = method == null ? Context.NONE : new Context("caller-method", method);

        SdkOrigin origin = SdkOrigin.of(CallContexts.of(new HttpRequest(HttpMethod.GET, url), data));

        assertThat(origin).isEqualTo(new SdkOrigin(account, service));
    }

    @Test
    @DisplayName("RETRY-1, RETRY-4: waits by the back-off, and not less than the service asks for")
    void waits() {
        wire.responds(503, "").responds(503, "", "Retry-After", "7").responds(200, "done");

        CompletableFuture<HttpResponse> response = send(read());
        timer.advanceTimeBy(Duration.ofMinutes(1));

        assertThat(response.join().getStatusCode()).isEqualTo(200);
        assertThat(wire.times()).containsExactly(Duration.ZERO, Duration.ofSeconds(2), Duration.ofSeconds(9));
        assertThat(reasons()).containsExactly("503", "503", "success");
    }

    @Test
    @DisplayName("RETRY-11: a request that is not safe to repeat is sent again after a throttling, not after a lost"
            + " response")
    void ambiguity() {
        wire.responds(503, Bench.jsonError("ServerBusy", "busy")).responds(500, Bench.jsonError("InternalError", "x"));

        CompletableFuture<HttpResponse> response = send(message());
        timer.advanceTimeBy(Duration.ofMinutes(1));

        assertThat(response.join().getStatusCode()).isEqualTo(500);
        assertThat(wire.sent()).extracting(FakeWire.Sent::body).containsExactly("<hello/>", "<hello/>");
        assertThat(reasons()).containsExactly("503 ServerBusy", "500 InternalError");
        assertThat(facts.get(0).stop()).isEqualTo(StopReason.NOT_RETRYABLE);
        assertThat(facts.get(0).anyAmbiguous()).isTrue();
    }

    @Test
    @DisplayName("RETRY-5: the limit of an attempt cancels it; the error comes out")
    void limit() {
        wire.staysSilent();

        CompletableFuture<HttpResponse> response = send(message());
        timer.advanceTimeBy(Duration.ofSeconds(35));

        assertThat(catchThrowable(response::join)).hasCauseInstanceOf(AttemptTimeoutException.class);
        assertThat(wire.cancelled()).isEqualTo(1);
        assertThat(wire.last().url()).endsWith("?timeout=30");
    }

    @Test
    @DisplayName("RETRY-5: one deadline covers all attempts and waits")
    void deadline() {
        wire.staysSilent().staysSilent().staysSilent();

        CompletableFuture<HttpResponse> response = send(read());
        timer.advanceTimeBy(Duration.ofMinutes(2));

        assertThat(response).isCompletedExceptionally();
        assertThat(wire.sent()).hasSize(3);
        assertThat(facts.get(0).elapsed()).isLessThanOrEqualTo(Duration.ofMinutes(2));
    }

    @Test
    @DisplayName("PERMIT-4: requests of all clients wait for the same permits, no longer than their deadline")
    void permits() {
        wire.staysSilent().responds(200, "second");
        CompletableFuture<HttpResponse> first = send(read());
        CompletableFuture<HttpResponse> second = send(message());
        assertThat(wire.sent()).hasSize(1);

        first.cancel(true);

        assertThat(second.join().getStatusCode()).isEqualTo(200);
        assertThat(wire.sent()).hasSize(2);
    }

    @Test
    @DisplayName("PERMIT-4: waiting for a permit in vain is not a lost response")
    void permitInVain() {
        wire.staysSilent().staysSilent().staysSilent();
        CompletableFuture<HttpResponse> first = send(read());
        timer.advanceTimeBy(Duration.ofSeconds(1));
        CompletableFuture<HttpResponse> second = send(message());
        CompletableFuture<HttpResponse> third = send(message());

        timer.advanceTimeBy(Duration.ofMinutes(10));

        assertThat(first).isCompletedExceptionally();
        assertThat(second).isCompletedExceptionally();
        assertThat(third).isCompletedExceptionally();
        assertThat(facts).hasSize(3);
        assertThat(facts)
                .filteredOn(
                        known -> known.attempts().get(0).reason().equals(GateTimeoutException.class.getSimpleName()))
                .allSatisfy(known -> assertThat(known.anyAmbiguous()).isFalse());
    }

    @Test
    @DisplayName("RETRY-8: a cancel while it waits sends nothing more")
    void cancelWhileWaiting() {
        wire.responds(503, "");
        CompletableFuture<HttpResponse> response = send(read());

        response.cancel(true);
        timer.advanceTimeBy(Duration.ofMinutes(10));

        assertThat(wire.sent()).hasSize(1);
        assertThat(facts).isEmpty();
    }

    @Test
    @DisplayName("the progress of an upload begins anew with each attempt")
    void progress() {
        wire.responds(503, "").responds(200, "");
        List<Long> reported = new ArrayList<>();
        ProgressReporter reporter = ProgressReporter.withProgressListener(reported::add);
        HttpPipelinePolicy reporting = (context, next) -> {
            reporter.reportProgress(10);
            return next.process();
        };

        Context context =
                Contexts.empty().setHttpRequestProgressReporter(reporter).getContext();
        CompletableFuture<HttpResponse> response = send(read(), context, reporting);
        timer.advanceTimeBy(Duration.ofMinutes(1));

        assertThat(response.join().getStatusCode()).isEqualTo(200);
        assertThat(reported.get(reported.size() - 1)).isEqualTo(10);
    }

    @Test
    @DisplayName("a retry of the SDK's own below is noticed, and warned of once")
    void theSdksRetryBelow() {
        RetryPolicy sdks = new RetryPolicy(new RetryOptions(new FixedDelayOptions(1, Duration.ofMillis(1))));
        for (int request = 0; request < 2; request++) {
            wire.breaks(new IOException("reset")).responds(200, "");
            send(read(), sdks).join();
        }

        assertThat(warnings).hasSize(1).first().asString().contains("sdkRetryOff()");
    }

    @Test
    void theSdksRetryThatIsOffIsNotWarnedOf() {
        wire.responds(503, "").responds(200, "");

        CompletableFuture<HttpResponse> response = send(read(), new RetryPolicy(StorageRetryPolicy.sdkRetryOff()));
        timer.advanceTimeBy(Duration.ofMinutes(1));

        assertThat(response.join().getStatusCode()).isEqualTo(200);
        assertThat(warnings).isEmpty();
    }
}
