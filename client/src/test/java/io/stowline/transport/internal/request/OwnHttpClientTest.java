package io.stowline.transport.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.http.Fault;
import io.stowline.error.AuthenticationException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.error.UnreachableException;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.AccountCredential;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.account.FakeTokens;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.limits.ServiceLimits;
import io.stowline.transport.internal.netty.HttpWire;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.pipeline.StoragePipeline.TimeSources;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** The application's HTTP client, which does not tell when it writes. */
@Timeout(60)
class OwnHttpClientTest {

    private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    private final Deque<Throwable> script = new ArrayDeque<>();
    private final ServiceLimits limits = Bench.limits(1, timer);
    private int sent;

    private Mono<HttpResponse> scripted(HttpRequest request) {
        sent++;
        Throwable error = script.poll();
        return error == null ? Mono.never() : Mono.error(error);
    }

    private StoragePipeline pipeline(AccountCredential credential, HttpClient client) {
        return new StoragePipeline(
                credential.authorizer(Service.TABLE),
                HttpWire.silent(client),
                limits,
                new TimeSources(timer, () -> Long.MIN_VALUE, Clock.systemUTC()),
                Bench.unheard(Service.TABLE));
    }

    private StoragePipeline pipeline() {
        return pipeline(Bench.account().credential(), this::scripted);
    }

    private Outcome<String> start(StoragePipeline pipeline, OperationType effect, int retries) {
        RetrySettings settings = RetrySettings.builder().retries(retries).build();
        return new Bench().start(pipeline.send(Bench.call(effect, settings)));
    }

    static Throwable[] failedConnections() {
        return new Throwable[] {
            new ConnectException("refused"),
            new SSLHandshakeException("untrusted"),
            new IOException("wrapped", new ConnectException("refused"))
        };
    }

    @ParameterizedTest
    @DisplayName(
            "RETRY-2: an error that shows that there was no connection is not ambiguous and is tried again at once")
    @MethodSource("failedConnections")
    void failedConnection(Throwable error) {
        script.add(error);
        script.add(error);
        Outcome<String> outcome = start(pipeline(), OperationType.WRITE, 1);

        assertThat(outcome.storageError()).isInstanceOf(UnreachableException.class);
        assertThat(outcome.storageError().failure().unansweredAttempts()).isZero();
        assertThat(outcome.storageError().failure().attempts()).isEqualTo(2);
    }

    @Test
    @DisplayName("RETRY-2: an unknown host is not ambiguous, and is tried once more after a pause")
    void unknownHost() {
        script.add(new UnknownHostException("nowhere"));
        script.add(new UnknownHostException("nowhere"));
        Outcome<String> outcome = start(pipeline(), OperationType.WRITE, 4);
        assertThat(sent).isEqualTo(1);
        timer.advanceTimeBy(Duration.ofSeconds(2));

        assertThat(outcome.storageError()).isInstanceOf(UnreachableException.class);
        assertThat(outcome.storageError().failure().unansweredAttempts()).isZero();
        assertThat(sent).isEqualTo(2);
    }

    @Test
    @DisplayName("RETRY-2: every other error leaves a write in doubt, and a retry waits")
    void resetConnection() {
        script.add(new SocketException("Connection reset"));
        script.add(new IOException("whatever"));
        Outcome<String> outcome = start(pipeline(), OperationType.WRITE, 1);
        assertThat(sent).isEqualTo(1);
        timer.advanceTimeBy(Duration.ofSeconds(10));

        assertThat(outcome.storageError())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCauseInstanceOf(UnreachableException.class);
        assertThat(outcome.storageError().failure().unansweredAttempts()).isEqualTo(2);
    }

    @Test
    @DisplayName("RETRY-2: a read is never in doubt")
    void resetRead() {
        script.add(new SocketException("Connection reset"));

        assertThat(start(pipeline(), OperationType.READ, 0)
                        .storageError()
                        .failure()
                        .unansweredAttempts())
                .isZero();
    }

    @Test
    @DisplayName("RETRY-2: an attempt that was never answered may have been carried out")
    void silence() {
        Outcome<String> outcome = start(pipeline(), OperationType.WRITE, 0);
        timer.advanceTimeBy(Duration.ofSeconds(35));

        assertThat(outcome.storageError().failure().unansweredAttempts()).isEqualTo(1);
    }

    @Test
    @DisplayName("RETRY-2, PERMIT-1: an attempt that waited for its turn in vain was not carried out")
    void waitingInVain() {
        StoragePipeline pipeline = pipeline();
        start(pipeline, OperationType.WRITE, 4);
        RetrySettings hasty = RetrySettings.builder()
                .deadline(Duration.ofSeconds(10))
                .serverTimeout(Duration.ofSeconds(5))
                .retries(0)
                .build();
        Outcome<String> outcome = new Bench().start(pipeline.send(Bench.call(OperationType.WRITE, hasty)));
        timer.advanceTimeBy(Duration.ofSeconds(11));

        assertThat(outcome.storageError().failure().unansweredAttempts()).isZero();
        assertThat(outcome.storageError().failure().attempts()).isZero();
    }

    @Test
    @DisplayName("RETRY-2: an attempt that waited for its token in vain was not carried out")
    void waitingForAToken() {
        FakeTokens tokens = new FakeTokens().does(Mono::never);
        Outcome<String> outcome = start(pipeline(tokens.credential(), this::scripted), OperationType.WRITE, 0);
        timer.advanceTimeBy(Duration.ofSeconds(35));

        assertThat(outcome.storageError().failure().unansweredAttempts()).isZero();
        assertThat(sent).isZero();
    }

    @Test
    void aTokenThatCannotBeHadIsNotInUnresolved() {
        FakeTokens tokens = new FakeTokens().fails(new IllegalStateException("no identity"));

        assertThat(start(pipeline(tokens.credential(), this::scripted), OperationType.WRITE, 0)
                        .storageError())
                .isInstanceOf(AuthenticationException.class)
                .satisfies(e -> assertThat(e.failure().unansweredAttempts()).isZero());
    }

    @Test
    @DisplayName("RETRY-7: what a client says of the address does not show the signature in it")
    void redactsWhatItSays() {
        script.add(new IOException("GET https://acct/?sig=topsecret failed", new IOException("sig=topsecret")));
        Throwable failure = start(pipeline(), OperationType.WRITE, 0).storageError();

        for (Throwable each = failure; each != null; each = each.getCause()) {
            assertThat(each.toString()).contains("sig=***").doesNotContain("topsecret");
        }
    }

    @Test
    @DisplayName("RETRY-7: nor does what it throws at once")
    void redactsWhatItThrows() {
        HttpClient broken = request -> {
            throw new IllegalArgumentException("bad address https://acct/?sig=topsecret");
        };
        Throwable failure = start(pipeline(Bench.account().credential(), broken), OperationType.READ, 0)
                .error();

        assertThat(failure.toString()).doesNotContain("topsecret");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void worksWithTheSdksClientAlsoBehindALambda(boolean lambda) {
        WireMockServer server =
                new WireMockServer(WireMockConfiguration.options().dynamicPort().bindAddress("127.0.0.1"));
        server.start();
        try {
            String text = "x".repeat(300_000);
            server.stubFor(WireMock.any(WireMock.anyUrl())
                    .willReturn(WireMock.aResponse()
                            .withHeader("x-ms-request-id", "r-1")
                            .withStatus(200)
                            .withBody(text)));
            HttpClient own = new NettyAsyncHttpClientBuilder().build();
            HttpClient client = lambda ? request -> own.send(request) : own;
            Request request = Request.of(
                    "find", "x", OperationType.READ, com.azure.core.http.HttpMethod.GET, server.baseUrl() + "/people");
            Exchange<String> exchange = Exchange.of(
                    request, RetrySettings.defaults(), response -> new ParseResult.Value<>(response.text()));

            assertThat(pipeline(Bench.account().credential(), client)
                            .send(exchange)
                            .block())
                    .isEqualTo(text);
        } finally {
            server.stop();
        }
    }

    @Test
    @DisplayName("RETRY-2: the SDK's client on a reset connection leaves a write in doubt")
    void realReset() {
        WireMockServer server =
                new WireMockServer(WireMockConfiguration.options().dynamicPort().bindAddress("127.0.0.1"));
        server.start();
        try {
            server.stubFor(WireMock.any(WireMock.anyUrl())
                    .willReturn(WireMock.aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER)));
            Request request = Request.of(
                            "insert",
                            "x",
                            OperationType.WRITE,
                            com.azure.core.http.HttpMethod.POST,
                            server.baseUrl() + "/people")
                    .body("application/json", new byte[] {'{', '}'});
            RetrySettings once = RetrySettings.builder().retries(0).build();
            Exchange<String> exchange =
                    Exchange.of(request, once, response -> new ParseResult.Value<>(response.text()));
            Throwable failure = pipeline(Bench.account().credential(), new NettyAsyncHttpClientBuilder().build())
                    .send(exchange)
                    .map(value -> new AssertionError(value))
                    .cast(Throwable.class)
                    .onErrorResume(Mono::just)
                    .block();

            assertThat(failure)
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasCauseInstanceOf(UnreachableException.class);
            assertThat(((StorageException) failure).failure().unansweredAttempts())
                    .isEqualTo(1);
        } finally {
            server.stop();
        }
    }
}
