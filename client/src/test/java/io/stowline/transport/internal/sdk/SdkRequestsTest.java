package io.stowline.transport.internal.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import io.stowline.StorageRetryPolicy;
import io.stowline.observe.RequestEnd;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.StopReason;
import io.stowline.retry.internal.engine.RetryResult;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.ServerClock;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.http.response.WriteTracker;
import io.stowline.transport.internal.observe.OperationObserver;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.RequestExecutor;
import io.stowline.transport.internal.pipeline.StoragePipeline.TimeSources;
import io.stowline.transport.internal.pipeline.StreamResponse;
import io.stowline.transport.internal.request.Operation;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestCost;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

class SdkRequestsTest {

    private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    private final TimeSources times =
            new TimeSources(timer, () -> Long.MIN_VALUE, Clock.fixed(Bench.START, ZoneOffset.UTC));
    private final SdkRequests requests = new SdkRequests(
            new RequestExecutor(
                    times,
                    Bench.limits(1, times.timer()),
                    new ServerClock(times.clock()),
                    WriteTracker::silent,
                    OperationObserver.none(),
                    exchange -> {}),
            UnresolvedAttempts.TOLERANCE);
    private final HttpRequest original = new HttpRequest(HttpMethod.GET, Bench.ROOT + "/people");
    private final List<HttpRequest> sent = new ArrayList<>();

    private CompletableFuture<RetryResult<HttpResponse>> send(HttpPipelineCallContext context, Integer... statuses) {
        Operation operation = Operation.of("query", "people", OperationType.READ, RetrySettings.defaults());
        Exchange<Object> exchange = Exchange.of(
                operation,
                Request.bySdkClient(
                        operation,
                        new HttpRequest(HttpMethod.POST, Bench.ROOT + "/people"),
                        true,
                        true,
                        RequestCost.ONE),
                "id-1");
        CompletableFuture<RetryResult<HttpResponse>> ended = requests.send(context, exchange, () -> {
                    sent.add(context.getHttpRequest());
                    return Mono.just(new StreamResponse(statuses[sent.size() - 1], Flux.empty()));
                })
                .toFuture();
        timer.advanceTimeBy(Duration.ofMinutes(1));
        return ended;
    }

    @Test
    @DisplayName("RETRY-7: each attempt goes out on a copy of its own; the client's request stays as it was")
    void copies() {
        HttpPipelineCallContext context = CallContexts.of(original);

        assertThat(send(context, 503, 200).join().succeeded()).isTrue();
        sent.get(0).setHeader(HttpHeaderName.AUTHORIZATION, "first");

        assertThat(sent).hasSize(2).doesNotContain(original);
        assertThat(sent.get(1).getHeaders().getValue(HttpHeaderName.AUTHORIZATION))
                .isNull();
        assertThat(original.getUrl().getQuery()).isNull();
        assertThat(sent.get(1).getUrl().getQuery()).isEqualTo("timeout=30");
    }

    @Test
    @DisplayName("RETRY-11: the facts of the attempts are in the call's context, once the request has ended")
    void facts() {
        HttpPipelineCallContext context = CallContexts.of(original);

        RetryResult<HttpResponse> ended = send(context, 503, 200).join();

        assertThat(context.getData(StorageRetryPolicy.REQUEST_END))
                .contains(new RequestEnd(
                        "query",
                        "people",
                        "id-1",
                        ended.value().getHeaderValue(StorageResponse.REQUEST_ID),
                        ended.log().attempts(),
                        ended.log().elapsed(),
                        StopReason.SUCCEEDED,
                        false));
    }

    @Test
    void observerThatFailsHarmsNothing() {
        Context observed = StorageRetryPolicy.observing(requestFacts -> {
            throw new IllegalStateException("observer");
        });

        RetryResult<HttpResponse> ended =
                send(CallContexts.of(original, observed), 200).join();

        assertThat(ended.succeeded()).isTrue();
    }

    @Test
    @DisplayName("RETRY-9: a body is replayable if it says so, and none is, too")
    void replayable() {
        assertThat(SdkRequests.replayable(original)).isTrue();
        assertThat(SdkRequests.replayable(original.copy().setBody("text"))).isTrue();
        assertThat(SdkRequests.replayable(
                        original.copy().setBody(BinaryData.fromStream(new ByteArrayInputStream(new byte[1]), 1L))))
                .isTrue();
        assertThat(SdkRequests.replayable(original.copy().setBody(Flux.<ByteBuffer>empty())))
                .isFalse();
    }
}
