package io.stowline.transport.internal.netty;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.http.Fault;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.stowline.RefusingPort;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.error.UnreachableException;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.gate.Gate;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.MalformedResponseException;
import io.stowline.transport.internal.http.RequestHeaders;
import io.stowline.transport.internal.http.response.WriteTracker;
import io.stowline.transport.internal.limits.ServiceLimits;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.pipeline.StoragePipeline.TimeSources;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ServerSocketFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The real HTTP client against a real socket. */
@Timeout(60)
class NettyTransportTest {

    private static final WireMockServer SERVER =
            new WireMockServer(options().dynamicPort().bindAddress("127.0.0.1"));

    private final List<Channel> channels = new CopyOnWriteArrayList<>();
    private final List<String> threads = new CopyOnWriteArrayList<>();
    private final NettyTransport transport = NettyTransport.of(
            "acct", 2, null, netty -> netty.doOnConnected(connection -> channels.add(connection.channel()))
                    .doOnResponse((response, connection) -> threads.add(Thread.currentThread()
                                    .getName() + " " + Thread.currentThread().isDaemon())));
    private final Scheduler timer = Schedulers.newSingle("timer", true);
    private final ServiceLimits limits = Bench.limits(2, timer);
    private final Gate gate = limits.gates().account();
    private final StoragePipeline pipeline = new StoragePipeline(
            Bench.account().credential().authorizer(Service.TABLE),
            HttpWire.telling(transport.client()),
            limits,
            new TimeSources(timer, () -> Long.MIN_VALUE, Clock.systemUTC()),
            Bench.unheard(Service.TABLE));

    @BeforeAll
    static void startServer() {
        SERVER.start();
    }

    @AfterAll
    static void stopServer() {
        SERVER.stop();
    }

    @BeforeEach
    void responseNothingSpecial() {
        SERVER.resetAll();
        SERVER.stubFor(any(anyUrl())
                .willReturn(aResponse()
                        .withStatus(200)
                        .withHeader("x-ms-request-id", "r-1")
                        .withBody("hello")));
    }

    @AfterEach
    void closeTransport() {
        transport.close(Duration.ofSeconds(5)).block();
        timer.dispose();
    }

    /** The origin of the requests, which decides on their HTTP client. */
    enum Way {
        OURS {
            @Override
            HttpRequest request(HttpMethod method, String url) {
                return new DirectRequest(method, url, new RequestHeaders(), null);
            }
        },
        OF_THE_SDK {
            @Override
            HttpRequest request(HttpMethod method, String url) {
                return new HttpRequest(method, url);
            }
        };

        HttpRequest request() {
            return request(HttpMethod.GET, SERVER.baseUrl() + "/people");
        }

        abstract HttpRequest request(HttpMethod method, String url);
    }

    private String get(Way way) {
        return transport
                .client()
                .send(way.request())
                .flatMap(response -> response.getBodyAsString())
                .block();
    }

    private static Exchange<String> call(String url, int retries) {
        RetrySettings settings = RetrySettings.builder()
                .backoff(Backoff.fixed(Duration.ofMillis(1)))
                .retries(retries)
                .build();
        Request request = Request.of("insert", "people(p, r)", OperationType.WRITE, HttpMethod.POST, url)
                .body("application/json", new byte[] {'{', '}'});
        return Exchange.of(request, settings, response -> new ParseResult.Value<>(response.text()));
    }

    private StorageException failure(Exchange<String> exchange) {
        return pipeline.send(exchange)
                .map(value -> new AssertionError("succeeded with " + value))
                .cast(Throwable.class)
                .onErrorResume(Mono::just)
                .cast(StorageException.class)
                .block();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("T3: TCP_NODELAY is on, read from the live channel; so is SO_KEEPALIVE")
    void nagleIsOff(Way way) {
        assertThat(get(way)).isEqualTo("hello");

        assertThat(channels.get(0).isActive()).isTrue();
        assertThat(channels.get(0).config().getOption(ChannelOption.TCP_NODELAY))
                .isTrue();
        assertThat(channels.get(0).config().getOption(ChannelOption.SO_KEEPALIVE))
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void connectionsAreKept(Way way) {
        for (int i = 0; i < 20; i++) {
            get(way);
        }

        assertThat(new HashSet<>(channels)).isNotEmpty().hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void respondsComeOnNamedDaemonThreads() {
        get(Way.OF_THE_SDK);

        assertThat(threads).hasSize(1);
        assertThat(threads.get(0)).startsWith("stowline-acct-io").endsWith(" true");
    }

    @Test
    void respondsToOursComeOnTheSameThreads() {
        String thread = transport
                .client()
                .send(Way.OURS.request())
                .map(response -> Thread.currentThread().getName() + " "
                        + Thread.currentThread().isDaemon())
                .block();

        assertThat(thread).startsWith("stowline-acct-io").endsWith(" true");
    }

    @ParameterizedTest
    @EnumSource
    void closingClosesTheConnections(Way way) {
        get(way);
        transport.close(Duration.ofSeconds(5)).block();

        assertThat(channels.get(0).isOpen()).isFalse();
    }

    @Test
    @DisplayName("RETRY-7: the whole way: signed, limited, named, with its body")
    void wholeWay() {
        assertThat(pipeline.send(call(SERVER.baseUrl() + "/people", 0)).block()).isEqualTo("hello");

        var request = SERVER.findAll(anyRequestedFor(anyUrl())).get(0);
        assertThat(request.getUrl()).isEqualTo("/people?timeout=30");
        assertThat(request.getHeader("Authorization")).startsWith("SharedKey acct:");
        assertThat(request.getHeader("x-ms-client-request-id")).hasSize(36);
        assertThat(request.getHeader("Content-Length")).isEqualTo("2");
        assertThat(request.getBodyAsString()).isEqualTo("{}");
    }

    @ParameterizedTest
    @DisplayName(
            "RETRY-2, RETRY-7: a request that was written and not answered properly is ambiguous, and all its facts"
                    + " are told")
    @EnumSource(Fault.class)
    void faultsAfterWritingAreAmbiguous(Fault fault) {
        SERVER.stubFor(any(anyUrl()).willReturn(aResponse().withFault(fault)));

        StorageException failure = failure(call(SERVER.baseUrl() + "/people", 1));

        assertThat(failure.failure().attempts()).isEqualTo(2);
        assertThat(failure.failure().unansweredAttempts()).isEqualTo(2);
        assertThat(failure.failure().operation()).isEqualTo("insert");
        assertThat(gate.inUse()).isZero();
    }

    @Test
    @DisplayName("RETRY-2: a response that is shorter than it says is ambiguous")
    void cutResponseIsAmbiguous() {
        SERVER.stubFor(any(anyUrl())
                .willReturn(aResponse()
                        .withStatus(200)
                        .withHeader("Content-Length", "100")
                        .withBody("hello")));

        RetrySettings impatient = RetrySettings.builder()
                .backoff(Backoff.none())
                .deadline(Duration.ofSeconds(2))
                .serverTimeout(Duration.ofSeconds(1))
                .grace(Duration.ZERO)
                .build();
        Request request = call(SERVER.baseUrl() + "/people", 0).request();
        Exchange<String> exchange =
                Exchange.of(request, impatient, response -> new ParseResult.Value<>(response.text()));

        assertThat(failure(exchange))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCauseInstanceOf(UnreachableException.class);
        assertThat(gate.inUse()).isZero();
    }

    @ParameterizedTest
    @DisplayName("RETRY-2: a response whose head is cut is a lost connection, and none that breaks the rules of HTTP")
    @EnumSource
    void aCutHeadIsALostConnection(Way way) throws IOException {
        String head = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 300\r\n\r\n";
        AtomicInteger length = new AtomicInteger();
        try (SocketServer server = new SocketServer(ServerSocketFactory.getDefault(), client -> {
            while (!SocketServer.line(client.getInputStream()).isEmpty()) {
                // the head of the request goes on
            }
            client.getOutputStream().write(head.substring(0, length.get()).getBytes(StandardCharsets.US_ASCII));
        })) {
            String url = "http://127.0.0.1:" + server.port() + "/photos/cat";
            for (int cut = 0; cut < head.length(); cut++) {
                length.set(cut);
                Throwable lost = transport
                        .client()
                        .send(way.request(HttpMethod.HEAD, url))
                        .map(response -> new AssertionError("a response of " + length.get() + " characters"))
                        .cast(Throwable.class)
                        .onErrorResume(Mono::just)
                        .block();
                assertThat(lost)
                        .as("after %d characters", cut)
                        .isInstanceOf(IOException.class)
                        .isNotInstanceOf(MalformedResponseException.class);
            }
        }
    }

    @Test
    @DisplayName("RETRY-2: a port where nobody listens is not ambiguous")
    void refusedConnectionIsNotAmbiguous() {
        StorageException failure;
        try (RefusingPort port = new RefusingPort()) {
            failure = failure(call("http://127.0.0.1:" + port.number() + "/people", 1));
        }

        assertThat(failure).isInstanceOf(UnreachableException.class);
        assertThat(failure.failure().attempts()).isEqualTo(2);
        assertThat(failure.failure().unansweredAttempts()).isZero();
    }

    @Test
    @DisplayName("RETRY-5: the limit of an attempt closes its connection in a blocking call, too")
    void timeoutReallyCancels() {
        SERVER.stubFor(any(anyUrl()).willReturn(aResponse().withFixedDelay(20_000)));
        RetrySettings impatient = RetrySettings.builder()
                .backoff(Backoff.none())
                .serverTimeout(Duration.ofSeconds(1))
                .grace(Duration.ZERO)
                .build();
        Request request = call(SERVER.baseUrl() + "/people", 0).request();
        Exchange<String> exchange =
                Exchange.of(request, impatient, response -> new ParseResult.Value<>(response.text()));

        assertThat(failure(exchange))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCauseInstanceOf(UnreachableException.class);
        assertThat(channels.get(0).closeFuture().awaitUninterruptibly(10_000)).isTrue();
        assertThat(gate.inUse()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("OUTCOME-0: a request whose attempt ended while the connection was being made is not written any more")
    void abandonedIsNotWritten(Way way) {
        WriteTracker over = WriteTracker.reporting();
        over.abandon();

        assertThatThrownBy(() -> transport
                        .client()
                        .send(way.request())
                        .contextWrite(seen -> seen.put(WriteTracker.class, over))
                        .block(Duration.ofSeconds(20)))
                .isNotInstanceOf(IllegalStateException.class);
        assertThat(SERVER.getAllServeEvents()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "RETRY-2: a connection that has reached its greatest age serves no further request, so that a change of"
                    + " DNS is seen")
    void connectionsHaveAnAge(Way way) {
        List<Channel> aged = new CopyOnWriteArrayList<>();
        NettyTransport brief = NettyTransport.of(
                "acct",
                2,
                null,
                Duration.ofMillis(1),
                netty -> netty.doOnConnected(connection -> aged.add(connection.channel())));
        try {
            // How many requests a connection serves within its millisecond depends on the machine.
            for (int i = 0; i < 100_000 && new HashSet<>(aged).size() < 3; i++) {
                brief.client()
                        .send(way.request())
                        .flatMap(response -> response.getBodyAsString())
                        .block();
            }
            assertThat(new HashSet<>(aged)).hasSizeGreaterThanOrEqualTo(3);
        } finally {
            brief.close(Duration.ofSeconds(5)).block();
        }
        for (int i = 0; i < 3; i++) {
            get(way);
        }
        assertThat(new HashSet<>(channels))
                .as("connections of the default age, of which the pool has two")
                .hasSizeLessThan(3);
    }
}
