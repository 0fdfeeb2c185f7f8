package io.stowline.transport.internal.netty.direct;

import com.azure.core.http.ProxyOptions;
import io.netty.handler.proxy.HttpProxyHandler;
import io.netty.handler.proxy.ProxyHandler;
import io.netty.handler.proxy.Socks4ProxyHandler;
import io.netty.handler.proxy.Socks5ProxyHandler;
import io.stowline.transport.internal.http.ProxyConnectionException;
import java.net.InetSocketAddress;

/**
 * A tunnel through a proxy, which a connection opens before its first byte to the origin (decision 183). The credentials go with the first
 * {@code CONNECT}, and only a 200 opens the tunnel (decision 22). Immutable.
 */
record ProxyTunnel(ProxyOptions proxy) {

    /** Returns host and port of the proxy, perhaps not looked up yet. */
    InetSocketAddress address() {
        return proxy.getAddress();
    }

    /**
     * Makes the handler of one connection, which gives the proxy Netty's 10 s for its response.
     *
     * @param address one of the proxy's
     */
    ProxyHandler handler(InetSocketAddress address) {
        String user = proxy.getUsername();
        return switch (proxy.getType()) {
            case HTTP ->
                user == null ? new HttpProxyHandler(address) : new HttpProxyHandler(address, user, proxy.getPassword());
            case SOCKS4 -> new Socks4ProxyHandler(address, user);
            case SOCKS5 -> new Socks5ProxyHandler(address, user, proxy.getPassword());
        };
    }

    /** Returns the failure of a connection that has no tunnel, with the name of the proxy. */
    ProxyConnectionException failure(Throwable cause) {
        return new ProxyConnectionException(address(), cause);
    }
}
