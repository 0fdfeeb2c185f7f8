package io.stowline.transport.internal.netty;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.ProxyOptions;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.azure.core.util.Configuration;
import com.azure.core.util.Context;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.stowline.observe.ClientInfo.ConnectionInfo;
import io.stowline.transport.internal.http.response.EagerHttpClient;
import io.stowline.transport.internal.netty.ReactorClient.ConnectionTimes;
import io.stowline.transport.internal.netty.direct.ConnectionOptions;
import io.stowline.transport.internal.netty.direct.DirectClient;
import io.stowline.transport.internal.netty.direct.DirectClient.ConnectionBounds;
import java.net.URL;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.resources.LoopResources;

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

    private static final Map<ChannelOption<?>, ?> OPTIONS = Map.of(
            ChannelOption.ALLOCATOR,
            UnpooledByteBufAllocator.DEFAULT, // for the first exchanges of a connection
            ChannelOption.TCP_NODELAY,
            true,
            ChannelOption.SO_KEEPALIVE,
            true,
            ChannelOption.CONNECT_TIMEOUT_MILLIS,
            (int) CONNECT_TIMEOUT.toMillis());

    private final LoopResources loops;
    private final ReactorClient foreign;
    private final DirectClient client;

    private NettyTransport(
            String account,
            int maxConnections,
            @Nullable ProxySelection proxy,
            Duration maxAge,
            @Nullable UnaryOperator<reactor.netty.http.client.HttpClient> last) {
        // More loops than cores cost latency and gain nothing.
        loops = LoopResources.create(
                String.join("-", "stowline", account, "io"),
                Runtime.getRuntime().availableProcessors(),
                true);
        foreign = new ReactorClient(
                account, maxConnections, new ConnectionTimes(CONNECT_TIMEOUT, WAIT, IDLE, maxAge), last);
        HttpClient others = new DeferredClient(() -> others(foreign.straight(), loops));
        client = new DirectClient(
                last == null ? options() : ConnectionOptions.of(timed(foreign.straight())),
                loops,
                new ConnectionBounds(maxConnections, IDLE, maxAge, WAIT, PROMPT_OPENING),
                proxy == null
                        ? others
                        : new ProxiedClient(
                                proxy, new DeferredClient(() -> others(foreign.through(proxy.proxy()), loops)), others),
                proxy == null ? address -> null : proxy::to);
    }

    public static NettyTransport of(String account, int maxConnections, @Nullable ProxyOptions proxy) {
        return new NettyTransport(account, maxConnections, selection(proxy), HttpSettings.CONNECTION_AGE, null);
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
        return of(account, maxConnections, selection(proxy), HttpSettings.CONNECTION_AGE, last);
    }

    static NettyTransport of(
            String account,
            int maxConnections,
            @Nullable ProxySelection proxy,
            Duration maxAge,
            @Nullable UnaryOperator<reactor.netty.http.client.HttpClient> last) {
        return new NettyTransport(account, maxConnections, proxy, maxAge, last);
    }

    private static @Nullable ProxySelection selection(@Nullable ProxyOptions proxy) {
        return proxy == null ? null : ProxySelection.of(proxy);
    }

    /** The options that the Reactor Netty client has, which is made where TLS needs its trust. */
    private ConnectionOptions options() {
        return new ConnectionOptions(
                ResolverThreads.GROUP,
                OPTIONS,
                channel -> CandidateConnect.watch(channel.pipeline()),
                null,
                () -> ConnectionOptions.tls(foreign.straight()));
    }

    private static reactor.netty.http.client.HttpClient timed(reactor.netty.http.client.HttpClient netty) {
        return netty.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) CONNECT_TIMEOUT.toMillis());
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
                .then(Mono.defer(foreign::close))
                .then(loops.disposeLater(Duration.ZERO, atMost))
                .onErrorComplete();
    }
}
