package io.stowline.transport.internal;

import com.azure.core.http.HttpClient;
import com.azure.core.http.ProxyOptions;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.azure.core.util.Configuration;
import io.netty.channel.ChannelOption;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;

/**
 * The HTTP client of an account with its own connections and I/O threads.
 *
 * <p>Nagle's algorithm is off, connections are kept alive, and an idle one is closed before the other side does it. Neither the
 * HTTP client nor azure-core retries or times out by itself here: that is the pipeline's. A connection whose request is given up is
 * reset, so that no byte of it leaves afterwards. Each connection is closed at its greatest age, since a change of DNS is seen by new
 * connections only.
 */
final class NettyTransport {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    /** Below the idle limits of the service's load balancers (4 minutes) and of the emulator in the test kit (60 s). */
    private static final Duration IDLE = Duration.ofSeconds(30);

    private final ConnectionProvider connections;
    private final LoopResources loops;
    private final HttpClient client;

    private NettyTransport(ConnectionProvider connections, LoopResources loops, HttpClient client) {
        this.connections = connections;
        this.loops = loops;
        this.client = client;
    }

    static NettyTransport of(String account, int maxConnections, @Nullable ProxyOptions proxy) {
        return of(account, maxConnections, proxy, UnaryOperator.identity());
    }

    static NettyTransport of(String account, int maxConnections, @Nullable ProxyOptions proxy, Duration maxAge) {
        return of(account, maxConnections, proxy, maxAge, UnaryOperator.identity());
    }

    /** With a hook that sees the Reactor Netty client last, for tests that look at live channels or bring their own trust. */
    static NettyTransport of(
            String account,
            int maxConnections,
            @Nullable ProxyOptions proxy,
            UnaryOperator<reactor.netty.http.client.HttpClient> last) {
        return of(account, maxConnections, proxy, HttpSettings.CONNECTION_AGE, last);
    }

    static NettyTransport of(
            String account,
            int maxConnections,
            @Nullable ProxyOptions proxy,
            Duration maxAge,
            UnaryOperator<reactor.netty.http.client.HttpClient> last) {
        ConnectionProvider connections = ConnectionProvider.builder("stowline-" + account)
                .maxConnections(maxConnections)
                .pendingAcquireMaxCount(-1)
                .pendingAcquireTimeout(CONNECT_TIMEOUT.multipliedBy(2))
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
                .httpResponseDecoder(decoder -> decoder.maxHeaderSize(AnswerBounds.ALL_HEADERS))
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .doOnRequest((request, connection) -> {
                    InterimAnswers.watch(connection.channel().pipeline());
                    Carried.begin(
                            connection.channel(), request.currentContextView().getOrDefault(Sending.class, null));
                })
                .doAfterResponseSuccess((response, connection) -> Carried.end(connection.channel()))
                .doAfterRequest((request, connection) -> {
                    Sending sending = request.currentContextView().getOrDefault(Sending.class, null);
                    if (sending != null) {
                        sending.markWhole();
                    }
                });
        // The host behind a proxy is not looked up here.
        reactor.netty.http.client.HttpClient whole =
                last.apply(proxy != null ? netty : netty.resolver(ResolverThreads.GROUP));
        HttpClient client = new NettyAsyncHttpClientBuilder(whole)
                // Not by runOn: that would set a resolver, and the host behind a proxy would be looked up here.
                .eventLoopGroup(loops.onClient(true))
                .proxy(proxy)
                .configuration(Configuration.NONE)
                .connectTimeout(CONNECT_TIMEOUT)
                .writeTimeout(Duration.ZERO)
                .responseTimeout(Duration.ZERO)
                .readTimeout(Duration.ZERO)
                .build();
        HttpClient others = new WholeAnswers(client);
        // The proxy's handshake is azure-core's.
        HttpClient own = proxy != null ? others : new DirectClient(direct(whole, loops), others);
        return new NettyTransport(connections, loops, own);
    }

    private static reactor.netty.http.client.HttpClient direct(
            reactor.netty.http.client.HttpClient netty, LoopResources loops) {
        return netty.runOn(loops).resolver(ResolverThreads.GROUP).option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                CONNECT_TIMEOUT.toMillis());
    }

    HttpClient client() {
        return client;
    }

    /** Closes the connections and then the threads; what is still in flight ends with an error. */
    Mono<Void> close(Duration atMost) {
        return connections
                .disposeLater()
                .then(loops.disposeLater(Duration.ZERO, atMost))
                .onErrorComplete();
    }
}
