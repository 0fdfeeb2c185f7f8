package io.stowline.transport.internal.netty;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.ProxyOptions;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.azure.core.util.Configuration;
import com.azure.core.util.Context;
import io.netty.channel.ChannelOption;
import io.netty.resolver.NoopAddressResolverGroup;
import io.stowline.observe.ClientInfo.ConnectionInfo;
import io.stowline.transport.internal.http.ResponseBounds;
import io.stowline.transport.internal.http.response.EagerHttpClient;
import io.stowline.transport.internal.http.response.WriteTracker;
import io.stowline.transport.internal.netty.direct.DirectClient;
import io.stowline.transport.internal.netty.direct.DirectClient.ConnectionBounds;
import java.net.URL;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;
import reactor.netty.transport.ProxyProvider;

/**
 * The HTTP client of an account with its own connections and I/O threads.
 *
 * <p>Nagle's algorithm is off, connections are kept alive, and an idle one is closed before the other side does it. Neither the
 * HTTP client nor azure-core retries or times out by itself here: that is the pipeline's. A connection whose request is given up is
 * reset, so that no byte of it leaves afterwards. Each connection is closed at its greatest age, since a change of DNS is seen by new
 * connections only.
 */
public final class NettyTransport {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    /** Below the idle limits of the service's load balancers (4 minutes) and of the emulator in the test kit (60 s). */
    private static final Duration IDLE = Duration.ofSeconds(30);

    private static final Duration WAIT = CONNECT_TIMEOUT.multipliedBy(2);
    /**
     * Enough for the round trips of TCP and TLS between continents, and short enough for several tries within the
     * time-out.
     */
    private static final Duration PROMPT_OPENING = CONNECT_TIMEOUT.dividedBy(10);

    private final ConnectionProvider connections;
    private final LoopResources loops;
    private final DirectClient client;

    private NettyTransport(ConnectionProvider connections, LoopResources loops, DirectClient client) {
        this.connections = connections;
        this.loops = loops;
        this.client = client;
    }

    public static NettyTransport of(String account, int maxConnections, @Nullable ProxyOptions proxy) {
        return of(account, maxConnections, proxy, UnaryOperator.identity());
    }

    /**
     * Makes a transport with a last hook on the Reactor Netty client, for tests that observe live channels or use
     * separate trust.
     */
    public static NettyTransport of(
            String account,
            int maxConnections,
            @Nullable ProxyOptions proxy,
            UnaryOperator<reactor.netty.http.client.HttpClient> last) {
        ProxySelection selection = proxy == null ? null : ProxySelection.of(proxy);
        return of(account, maxConnections, selection, HttpSettings.CONNECTION_AGE, last);
    }

    static NettyTransport of(
            String account,
            int maxConnections,
            @Nullable ProxySelection proxy,
            Duration maxAge,
            UnaryOperator<reactor.netty.http.client.HttpClient> last) {
        ConnectionProvider connections = ConnectionProvider.builder("stowline-" + account)
                .maxConnections(maxConnections)
                .pendingAcquireMaxCount(-1)
                .pendingAcquireTimeout(WAIT)
                .maxIdleTime(IDLE)
                .maxLifeTime(maxAge)
                .lifo()
                .build();
        // More loops than cores cost latency and gain nothing.
        LoopResources loops = LoopResources.create(
                "stowline-" + account + "-io", Runtime.getRuntime().availableProcessors(), true);
        reactor.netty.http.client.HttpClient netty = reactor.netty.http.client.HttpClient.create(connections)
                .keepAlive(true)
                .disableRetry(true)
                .httpResponseDecoder(decoder -> decoder.maxHeaderSize(ResponseBounds.ALL_HEADERS))
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .doOnChannelInit((observer, channel, remote) -> {
                    CandidateConnect.watch(channel.pipeline());
                    InterimResponses.watch(channel.pipeline());
                    EchoedRequestIds.watch(channel.pipeline());
                })
                .doOnRequest((request, connection) -> ConnectionReset.begin(
                        connection.channel(), request.currentContextView().getOrDefault(WriteTracker.class, null)))
                .doAfterResponseSuccess((response, connection) -> ConnectionReset.end(connection.channel()))
                .doAfterRequest((request, connection) -> {
                    WriteTracker tracker = request.currentContextView().getOrDefault(WriteTracker.class, null);
                    if (tracker != null) {
                        tracker.markComplete();
                    }
                });
        reactor.netty.http.client.HttpClient direct = last.apply(netty.resolver(ResolverThreads.GROUP));
        HttpClient others = others(direct, loops);
        DirectClient client = new DirectClient(
                direct.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) CONNECT_TIMEOUT.toMillis()),
                loops,
                new ConnectionBounds(maxConnections, IDLE, maxAge, WAIT, PROMPT_OPENING),
                proxy == null
                        ? others
                        : new ProxiedClient(proxy, others(last.apply(through(proxy.proxy(), netty)), loops), others),
                proxy == null ? address -> null : proxy::to);
        return new NettyTransport(connections, loops, client);
    }

    /**
     * Returns the client that opens tunnels for the requests of others. It sends the credentials with the first {@code CONNECT}, and takes
     * only a 200 for a tunnel; azure-core's handshake waits for a 407 and sends the request on after any response. The host behind the
     * proxy is not looked up here.
     */
    private static reactor.netty.http.client.HttpClient through(
            ProxyOptions proxy, reactor.netty.http.client.HttpClient netty) {
        return netty.proxy(spec -> {
                    ProxyProvider.Builder built = spec.type(
                                    switch (proxy.getType()) {
                                        case HTTP -> ProxyProvider.Proxy.HTTP;
                                        case SOCKS4 -> ProxyProvider.Proxy.SOCKS4;
                                        case SOCKS5 -> ProxyProvider.Proxy.SOCKS5;
                                    })
                            .socketAddress(proxy.getAddress())
                            .connectTimeoutMillis(CONNECT_TIMEOUT.toMillis());
                    if (proxy.getUsername() != null) {
                        built.username(proxy.getUsername()).password(user -> proxy.getPassword());
                    }
                })
                .resolver(NoopAddressResolverGroup.INSTANCE);
    }

    private static HttpClient others(reactor.netty.http.client.HttpClient whole, LoopResources loops) {
        return new EagerHttpClient(new TwoDigitPorts(new NettyAsyncHttpClientBuilder(whole)
                // Not by runOn: that would set a resolver, and the host behind a proxy would be looked up here.
                .eventLoopGroup(loops.onClient(true))
                .configuration(Configuration.NONE)
                .connectTimeout(CONNECT_TIMEOUT)
                .writeTimeout(Duration.ZERO)
                .responseTimeout(Duration.ZERO)
                .readTimeout(Duration.ZERO)
                .build()));
    }

    /** A client that writes a zero before a port of one digit, which Reactor Netty takes for a part of the host. */
    private record TwoDigitPorts(HttpClient client) implements HttpClient {

        @Override
        public Mono<HttpResponse> send(HttpRequest request) {
            return client.send(padded(request));
        }

        @Override
        public Mono<HttpResponse> send(HttpRequest request, Context context) {
            return client.send(padded(request), context);
        }

        private static HttpRequest padded(HttpRequest request) {
            URL url = request.getUrl();
            if (url.getPort() < 1 || url.getPort() > 9 || url.getAuthority().endsWith(":0" + url.getPort())) {
                return request;
            }
            return request.copy()
                    .setUrl(url.getProtocol() + "://" + url.getHost() + ":0" + url.getPort() + url.getFile());
        }
    }

    public HttpClient client() {
        return client;
    }

    /** Describes the connections of the library's requests, by the options with which they are opened. */
    public ConnectionInfo connections() {
        return client.info();
    }

    /** Closes the connections and then the threads; what is still in flight ends with an error. */
    public Mono<Void> close(Duration atMost) {
        return Mono.fromRunnable(client::close)
                .then(connections.disposeLater())
                .then(loops.disposeLater(Duration.ZERO, atMost))
                .onErrorComplete();
    }
}
