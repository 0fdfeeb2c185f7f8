package io.stowline.transport.internal.client;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpMethod;
import com.github.tomakehurst.wiremock.WireMockServer;
import io.stowline.caching.ResponseCache;
import io.stowline.error.UnreachableException;
import io.stowline.observe.StowlineListener;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@Timeout(60)
class ClientRuntimeTest {

    private static final Duration SOON = Duration.ofSeconds(5);

    private static String describe(Thread thread) {
        return thread.getName() + " daemon=" + thread.isDaemon();
    }

    @Test
    void threadsAreNamedDaemons() throws Exception {
        ClientRuntime runtime = ClientRuntime.open(Bench.account(), Bench.settings(4, RetrySettings.defaults()));
        CompletableFuture<String> timer = new CompletableFuture<>();
        CompletableFuture<String> callback = new CompletableFuture<>();
        runtime.timer().schedule(() -> timer.complete(describe(Thread.currentThread())));
        runtime.delivery()
                .deliver(Mono.just("result"))
                .subscribe(result -> callback.complete(describe(Thread.currentThread())));

        assertThat(timer.get(10, TimeUnit.SECONDS)).isEqualTo("stowline-acct-timer-1 daemon=true");
        assertThat(callback.get(10, TimeUnit.SECONDS)).isEqualTo("stowline-acct-callback-1 daemon=true");
        runtime.close(SOON).block();
    }

    @Test
    @DisplayName("PERMIT-4: the timer refuses blocking calls, since all waits are for it")
    void theTimerDoesNotBlock() throws Exception {
        ClientRuntime runtime = ClientRuntime.open(Bench.account(), Bench.settings(4, RetrySettings.defaults()));
        CompletableFuture<Boolean> nonBlocking = new CompletableFuture<>();
        runtime.timer().schedule(() -> nonBlocking.complete(Schedulers.isInNonBlockingThread()));

        assertThat(nonBlocking.get(10, TimeUnit.SECONDS)).isTrue();
        runtime.close(SOON).block();
    }

    @Test
    void usesTheCallersExecutorAndLeavesItAlone() throws Exception {
        Executor own = task -> new Thread(task, "own").start();
        ClientRuntime runtime = ClientRuntime.open(
                Bench.account(), Bench.settings(4, RetrySettings.defaults()).with(own));
        CompletableFuture<String> callback = new CompletableFuture<>();
        runtime.delivery()
                .deliver(Mono.just("result"))
                .subscribe(result -> callback.complete(Thread.currentThread().getName()));

        assertThat(runtime.callbacks()).isSameAs(own);
        assertThat(callback.get(10, TimeUnit.SECONDS)).isEqualTo("own");
        runtime.close(SOON).block();
    }

    @Test
    @DisplayName("PERMIT-1: the gate has as many permits as were asked for")
    void gateHasTheLimit() {
        ClientRuntime runtime = ClientRuntime.open(Bench.account(), Bench.settings(7, RetrySettings.defaults()));

        assertThat(runtime.to(Service.TABLE).gate().limit()).isEqualTo(7);
        runtime.close(SOON).block();
    }

    @Test
    @DisplayName(
            "CACHE-4: a cache that nobody has set up is made when it is first needed, and costs writes nothing until"
                    + " then")
    void theCacheIsMadeWhenItIsNeeded() {
        List<String> reported = new ArrayList<>();
        StowlineListener listener = new StowlineListener() {
            @Override
            public void onCacheOpened(String account, ResponseCache cache) {
                reported.add(account);
            }
        };
        ClientRuntime plain = ClientRuntime.open(Bench.account(), ClientSettings.DEFAULT.with(listener));
        assertThat(reported).isEmpty();
        plain.cache().open();
        assertThat(reported).containsExactly("acct");
        ClientRuntime setUp = ClientRuntime.open(
                Bench.account(), ClientSettings.DEFAULT.with(listener).caching(cache -> cache));
        assertThat(reported).containsExactly("acct", "acct");
        plain.close(SOON).block();
        setUp.close(SOON).block();
    }

    @Test
    void closingWaitsForWhatIsUnderWayAndRefusesTheRest() throws Exception {
        WireMockServer server = new WireMockServer(options().dynamicPort().bindAddress("127.0.0.1"));
        server.start();
        try {
            server.stubFor(any(anyUrl())
                    .willReturn(aResponse()
                            .withHeader("x-ms-request-id", "r-1")
                            .withFixedDelay(300)
                            .withBody("late")));
            ClientRuntime runtime = ClientRuntime.open(Bench.account(), Bench.settings(4, RetrySettings.defaults()));
            CompletableFuture<String> running =
                    runtime.to(Service.TABLE).send(call(server.baseUrl())).toFuture();
            runtime.close(SOON).block();

            assertThat(running.get(10, TimeUnit.SECONDS)).isEqualTo("late");
            assertThatThrownBy(() -> runtime.to(Service.TABLE)
                            .send(call(server.baseUrl()))
                            .block())
                    .hasMessage("this Stowline is closed (account acct)");
            assertThat(runtime.timer().isDisposed()).isTrue();
        } finally {
            server.stop();
        }
    }

    @Test
    void closingIsBoundedWhenTheServerIsSilent() {
        WireMockServer server = new WireMockServer(options().dynamicPort().bindAddress("127.0.0.1"));
        server.start();
        try {
            server.stubFor(any(anyUrl())
                    .willReturn(aResponse().withHeader("x-ms-request-id", "r-1").withFixedDelay(30_000)));
            ClientRuntime runtime = ClientRuntime.open(Bench.account(), Bench.settings(4, RetrySettings.defaults()));
            CompletableFuture<String> running =
                    runtime.to(Service.TABLE).send(call(server.baseUrl())).toFuture();
            Mono<Void> closed = runtime.close(Duration.ofMillis(200));

            closed.block(Duration.ofSeconds(20));
            assertThatThrownBy(() -> running.get(20, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(UnreachableException.class);
            assertThat(runtime.to(Service.TABLE).gate().inUse()).isZero();
        } finally {
            server.stop();
        }
    }

    private static Exchange<String> call(String url) {
        return Exchange.of(
                Request.of("find", "x", OperationType.READ, HttpMethod.GET, url + "/x"),
                RetrySettings.defaults(),
                response -> new ParseResult.Value<>(response.text()));
    }

    @Test
    @DisplayName("CACHE-5: a folder that another cache has stops no client")
    void aFolderInUseStopsNoClient(@TempDir Path folder) {
        ClientSettings settings = Bench.settings(4, RetrySettings.defaults()).caching(c -> c.disk(folder, 1 << 20));
        ClientRuntime first = ClientRuntime.open(Bench.account(), settings);
        try {
            ClientRuntime.open(Bench.account(), settings)
                    .close(Duration.ofSeconds(20))
                    .block();
        } finally {
            first.close(Duration.ofSeconds(20)).block();
        }
    }
}
