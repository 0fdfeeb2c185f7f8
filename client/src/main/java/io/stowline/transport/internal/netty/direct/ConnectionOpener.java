package io.stowline.transport.internal.netty.direct;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.proxy.ProxyHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.stowline.transport.internal.netty.direct.ConnectionPool.Opening;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import reactor.netty.Connection;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.SslProvider;

/**
 * An opener of connections to one origin, which opens them as a Reactor Netty client would: with its socket options, its resolver, its trust and the hooks for what
 * is made and what has connected. Of several addresses of a host each is tried. Behind a proxy the host is looked up by the proxy
 * only. A certificate must be that of the host. Thread-safe.
 */
final class ConnectionOpener implements ConnectionPool.PooledOpener {

    private final HttpOrigin origin;
    private final ConnectionOptions options;
    private final LoopResources loops;
    private final EventLoopGroup group;
    private final LongSupplier millis;
    private final @Nullable SslProvider tls;
    private final @Nullable ProxyTunnel tunnel;

    ConnectionOpener(
            HttpOrigin origin,
            @Nullable ProxyTunnel tunnel,
            ConnectionOptions options,
            LoopResources loops,
            EventLoopGroup group,
            LongSupplier millis) {
        this.origin = origin;
        this.tunnel = tunnel;
        this.options = options;
        this.loops = loops;
        this.group = group;
        this.millis = millis;
        this.tls = origin.encrypted() ? options.tls().get() : null;
    }

    @Override
    public void open(EventLoop loop, Opening opening) {
        Future<List<InetSocketAddress>> resolved =
                options.resolver().getResolver(loop).resolveAll(tunnel == null ? origin.address() : tunnel.address());
        resolved.addListener(ended -> {
            if (!opening.wanted()) {
                return;
            }
            if (ended.isSuccess()) {
                connect(loop, opening, resolved.getNow(), 0);
            } else {
                opening.failed(unconnected(ended.cause()));
            }
        });
    }

    private Throwable unconnected(Throwable cause) {
        return tunnel == null ? cause : tunnel.failure(cause);
    }

    private void connect(EventLoop loop, Opening opening, List<InetSocketAddress> addresses, int index) {
        Handlers handlers;
        ChannelFuture connected;
        try {
            InetSocketAddress address = addresses.get(index);
            handlers = new Handlers(opening, tunnel == null ? null : tunnel.handler(address));
            Bootstrap bootstrap = new Bootstrap()
                    .group(loop)
                    .channelFactory(() -> loops.onChannel(SocketChannel.class, group))
                    .handler(handlers);
            options.channel().entrySet().forEach(option -> set(bootstrap, option));
            // Reactor Netty reads on demand only; here a response is read whole, within its bounds
            bootstrap.option(ChannelOption.AUTO_READ, true);
            // Resolved above, unless the proxy does it
            connected = bootstrap.disableResolver().connect(tunnel == null ? address : origin.address());
        } catch (RuntimeException thrown) {
            opening.failed(thrown);
            return;
        }
        connected.addListener(ended -> {
            if (ended.isSuccess()) {
                handlers.connected();
            } else if (index + 1 < addresses.size() && opening.wanted()) {
                connect(loop, opening, addresses, index + 1);
            } else {
                opening.failed(unconnected(ended.cause()));
            }
        });
    }

    @SuppressWarnings("unchecked") // the values are of their options' types
    private static <T> void set(Bootstrap bootstrap, Map.Entry<ChannelOption<?>, ?> option) {
        bootstrap.option((ChannelOption<T>) option.getKey(), (T) option.getValue());
    }

    private SslHandler handler(Channel channel, SslProvider provider) {
        SslHandler handler = provider.getSslContext()
                .newHandler(
                        // An engine keeps it for as long as the connection lasts, see UNPOOLED_EXCHANGES
                        channel.alloc() == UnpooledByteBufAllocator.DEFAULT
                                ? ByteBufAllocator.DEFAULT
                                : channel.alloc(),
                        origin.address().getHostString(),
                        origin.address().getPort());
        provider.configure(handler);
        SSLParameters parameters = handler.engine().getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        handler.engine().setSSLParameters(parameters);
        return handler;
    }

    /** The handlers of one channel, and its way from connected to ready. */
    private final class Handlers extends ChannelInitializer<Channel> {

        private final Opening opening;
        private final @Nullable ProxyHandler proxy;
        private @Nullable SslHandler handshaking;
        private @Nullable HttpConnection connection;

        Handlers(Opening opening, @Nullable ProxyHandler proxy) {
            this.opening = opening;
            this.proxy = proxy;
        }

        @Override
        protected void initChannel(Channel channel) {
            options.opened().accept(channel);
            if (proxy != null) {
                channel.pipeline().addLast(proxy);
            }
            if (tls != null) {
                handshaking = handler(channel, tls);
                channel.pipeline().addLast(handshaking);
            }
            connection = new HttpConnection(channel, opening.pool(), millis.getAsLong());
            channel.pipeline().addLast(connection);
            opening.begun(connection);
        }

        void connected() {
            HttpConnection made = Objects.requireNonNull(connection, "initialized");
            if (proxy == null) {
                encrypt(made);
                return;
            }
            proxy.connectFuture().addListener(ended -> {
                if (ended.isSuccess()) {
                    // Of SOCKS, the bytes of the same read come only after this
                    made.eventLoop().execute(() -> tunnelled(made));
                } else {
                    failed(made, unconnected(ended.cause()));
                }
            });
        }

        private void tunnelled(HttpConnection made) {
            if (made.usable()) {
                encrypt(made);
            } else {
                failed(made, unconnected(new IOException("bytes followed its response, or the end")));
            }
        }

        private void encrypt(HttpConnection made) {
            if (handshaking == null) {
                ready(made);
                return;
            }
            handshaking.handshakeFuture().addListener(ended -> {
                if (ended.isSuccess()) {
                    ready(made);
                } else {
                    failed(made, ended.cause());
                }
            });
        }

        private void ready(HttpConnection made) {
            Consumer<? super Connection> hook = options.connected();
            if (hook != null) {
                try {
                    hook.accept(Connection.from(made.channel()));
                } catch (Throwable thrown) {
                    failed(made, thrown);
                    return;
                }
            }
            opening.opened(made);
        }

        private void failed(HttpConnection made, Throwable cause) {
            made.close();
            opening.failed(cause);
        }
    }
}
