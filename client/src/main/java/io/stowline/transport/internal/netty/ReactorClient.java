package io.stowline.transport.internal.netty;

import com.azure.core.http.ProxyOptions;
import io.netty.channel.ChannelOption;
import io.netty.resolver.NoopAddressResolverGroup;
import io.stowline.transport.internal.http.ResponseBounds;
import io.stowline.transport.internal.http.response.WriteTracker;
import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.transport.ProxyProvider;

/**
 * The Reactor Netty client of a transport: for the requests of others, and for the trust of encrypted connections. It is made when it is
 * first needed, since its classes take a tenth of the processor time of a process that inserts once. Thread-safe.
 */
final class ReactorClient {

    private final String account;
    private final int maxConnections;
    private final ConnectionTimes times;
    private final UnaryOperator<HttpClient> last;
    private @Nullable ConnectionProvider connections;
    private @Nullable HttpClient straight;
    private boolean closed;

    /**
     * A client that is not made yet.
     *
     * @param last the last hook on what is made, or {@code null} for none
     */
    ReactorClient(String account, int maxConnections, ConnectionTimes times, @Nullable UnaryOperator<HttpClient> last) {
        this.account = account;
        this.maxConnections = maxConnections;
        this.times = times;
        this.last = last == null ? UnaryOperator.identity() : last;
    }

    /**
     * The times of its connections.
     *
     * @param connect the longest connect
     * @param acquire the longest wait for a connection
     * @param idle the longest time open without a request
     * @param age the largest age
     */
    record ConnectionTimes(Duration connect, Duration acquire, Duration idle, Duration age) {}

    /** Returns the client without a proxy. */
    synchronized HttpClient straight() {
        if (straight == null) {
            straight = last.apply(netty().resolver(ResolverThreads.GROUP));
        }
        return straight;
    }

    /**
     * Returns the client that opens tunnels for the requests of others. It sends the credentials with the first {@code CONNECT}, and takes
     * only a 200 for a tunnel; azure-core's handshake waits for a 407 and sends the request on after any response. The host behind the
     * proxy is not looked up here.
     */
    synchronized HttpClient through(ProxyOptions proxy) {
        return last.apply(netty().proxy(spec -> {
                    ProxyProvider.Builder built = spec.type(
                                    switch (proxy.getType()) {
                                        case HTTP -> ProxyProvider.Proxy.HTTP;
                                        case SOCKS4 -> ProxyProvider.Proxy.SOCKS4;
                                        case SOCKS5 -> ProxyProvider.Proxy.SOCKS5;
                                    })
                            .socketAddress(proxy.getAddress())
                            .connectTimeoutMillis(times.connect().toMillis());
                    if (proxy.getUsername() != null) {
                        built.username(proxy.getUsername()).password(user -> proxy.getPassword());
                    }
                })
                .resolver(NoopAddressResolverGroup.INSTANCE));
    }

    private HttpClient netty() {
        return HttpClient.create(connections())
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
    }

    private ConnectionProvider connections() {
        ConnectionProvider made = connections;
        if (made == null) {
            made = ConnectionProvider.builder("stowline-" + account)
                    .maxConnections(maxConnections)
                    .pendingAcquireMaxCount(-1)
                    .pendingAcquireTimeout(times.acquire())
                    .maxIdleTime(times.idle())
                    .maxLifeTime(times.age())
                    .lifo()
                    .build();
            connections = made;
            if (closed) {
                made.dispose();
            }
        }
        return made;
    }

    /** Closes its connections, if there are any. */
    synchronized Mono<Void> close() {
        closed = true;
        return connections == null
                ? Mono.empty()
                : Objects.requireNonNull(connections).disposeLater();
    }
}
