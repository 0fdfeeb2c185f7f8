package io.stowline.transport.internal.netty.direct;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.ProxyOptions;
import com.azure.core.util.Context;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.stowline.observe.ClientInfo.ConnectionInfo;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.netty.direct.HttpOrigin.OriginMap;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.netty.resources.LoopResources;

/**
 * An HTTP/1.1 client that sends the library's requests over separate connections (decision 94). Their bodies are
 * slices of memory or of a file, and their responses are read whole or into a sink, so that the work of Reactor Netty and
 * azure-core for streams and progress would be wasted. Behind a proxy each connection is a {@link ProxyTunnel}. All other requests take azure-core's client. It retries nothing. Thread-safe.
 */
public final class DirectClient implements HttpClient {

    /** All requests of the library take content in its stored form. */
    private static final boolean COMPRESSED = false;

    private final ConnectionOptions options;
    private final LoopResources loops;
    private final EventLoopGroup group;
    private final ConnectionBounds bounds;
    private final HttpClient others;
    private final Function<InetSocketAddress, @Nullable ProxyOptions> proxies;
    private final OriginMap<ConnectionPool> pools = new OriginMap<>(this::poolOf);
    private volatile boolean closed;

    /**
     * A client without connections.
     *
     * @param options the options, the resolver and the trust of its connections
     * @param loops the threads of its connections
     * @param bounds how many connections there are to one origin, and how long they last
     * @param others sends all other requests
     * @param proxies returns the proxy to a host, or {@code null} for none; called once for each origin
     */
    public DirectClient(
            ConnectionOptions options,
            LoopResources loops,
            ConnectionBounds bounds,
            HttpClient others,
            Function<InetSocketAddress, @Nullable ProxyOptions> proxies) {
        this.options = options;
        this.loops = loops;
        this.group = loops.onClient(true);
        this.bounds = bounds;
        this.others = others;
        this.proxies = proxies;
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return send(request, Context.NONE);
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request, Context context) {
        return request instanceof DirectRequest own ? direct(own) : others.send(request, context);
    }

    private Mono<HttpResponse> direct(DirectRequest request) {
        String address = DirectRequest.address(request);
        int path = HttpOrigin.pathOf(address);
        return new ResponseMono(request, address, pool(address, path));
    }

    private ConnectionPool pool(String address, int path) {
        ConnectionPool pool = pools.of(address, path);
        if (closed) {
            pool.close();
        }
        return pool;
    }

    private ConnectionPool poolOf(HttpOrigin origin) {
        ProxyOptions proxy = proxies.apply(origin.address());
        ProxyTunnel tunnel = proxy == null ? null : new ProxyTunnel(proxy);
        ConnectionOpener opener =
                new ConnectionOpener(origin, tunnel, options, loops, group, System::currentTimeMillis);
        ConnectionBounds these = tunnel == null ? bounds : bounds.tunnelled();
        return new ConnectionPool(origin, group, opener, these, System::currentTimeMillis);
    }

    /** Describes its connections, by the options with which they are opened. */
    public ConnectionInfo info() {
        return new ConnectionInfo(
                bounds.maxConnections,
                RequestEncoder.VERSION,
                Boolean.TRUE.equals(options.channel().get(ChannelOption.TCP_NODELAY)),
                Boolean.TRUE.equals(options.channel().get(ChannelOption.SO_KEEPALIVE)),
                COMPRESSED,
                bounds.maxIdle,
                bounds.maxAge);
    }

    /** Closes its connections; what is in flight ends with an error. */
    public void close() {
        closed = true;
        pools.forEach(ConnectionPool::close);
    }

    /** One request, sent for each subscriber. */
    private static final class ResponseMono extends Mono<HttpResponse> {

        private final DirectRequest request;
        private final String address;
        private final ConnectionPool pool;

        ResponseMono(DirectRequest request, String address, ConnectionPool pool) {
            this.request = request;
            this.address = address;
            this.pool = pool;
        }

        @Override
        public void subscribe(CoreSubscriber<? super HttpResponse> actual) {
            actual.onSubscribe(new PendingResponse(request, address, pool, actual));
        }
    }

    /**
     * The bounds of the connections to one origin: their number and their times.
     *
     * @param maxConnections the most at once
     * @param maxIdle the longest time open without a request
     * @param maxAge the largest age
     * @param acquireTimeout the longest wait of a request
     * @param promptOpening the time for which a request relies on an opening, before another one begins beside it
     */
    public record ConnectionBounds(
            int maxConnections, Duration maxIdle, Duration maxAge, Duration acquireTimeout, Duration promptOpening) {

        /** A tunnel takes the connect to the proxy, its own check of the credentials and connect, and the handshake. */
        private static final int STEPS = 5;

        /** Returns the bounds of connections through a proxy, whose openings are prompt for longer. */
        ConnectionBounds tunnelled() {
            return new ConnectionBounds(
                    maxConnections, maxIdle, maxAge, acquireTimeout, promptOpening.multipliedBy(STEPS));
        }
    }
}
