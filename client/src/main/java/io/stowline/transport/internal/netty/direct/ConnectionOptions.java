package io.stowline.transport.internal.netty.direct;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.resolver.AddressResolverGroup;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.netty.Connection;
import reactor.netty.ConnectionObserver;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientConfig;
import reactor.netty.tcp.SslProvider;

/**
 * The options with which connections are opened. They are apart from Reactor Netty's client, which loads some four hundred classes, so that a
 * process without TLS and foreign requests starts without it (decision 472).
 *
 * @param resolver finds the addresses of a host
 * @param channel the options of a channel
 * @param opened gets each channel before it connects
 * @param connected gets each connection that is ready, or {@code null} for no hook
 * @param tls gives the trust of encrypted connections, once for each origin
 */
public record ConnectionOptions(
        AddressResolverGroup<InetSocketAddress> resolver,
        Map<ChannelOption<?>, ?> channel,
        Consumer<Channel> opened,
        @Nullable Consumer<? super Connection> connected,
        Supplier<SslProvider> tls) {

    /** Returns the options of a Reactor Netty client, with its hooks. */
    @SuppressWarnings("unchecked") // as Reactor Netty takes it
    public static ConnectionOptions of(HttpClient client) {
        HttpClientConfig settings = client.configuration();
        return new ConnectionOptions(
                (AddressResolverGroup<InetSocketAddress>) Objects.requireNonNull(settings.resolver(), "resolver"),
                settings.options(),
                channel -> settings.doOnChannelInit().onChannelInit(ConnectionObserver.emptyListener(), channel, null),
                settings.doOnConnected(),
                () -> tls(client));
    }

    /** Returns the trust of a Reactor Netty client, or its default. */
    public static SslProvider tls(HttpClient client) {
        SslProvider given = client.configuration().sslProvider();
        return given != null
                ? given
                : Objects.requireNonNull(client.secure().configuration().sslProvider(), "sslProvider");
    }
}
