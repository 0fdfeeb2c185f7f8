package io.stowline.transport.internal.http;

import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;

/** A proxy opened no connection to the service: the request never left. */
public final class ProxyConnectionException extends ConnectException {

    private static final long serialVersionUID = 1L;
    private static final String UNAUTHORIZED = "status: 407";

    public ProxyConnectionException(InetSocketAddress proxy, Throwable cause) {
        super("the proxy " + proxy.getHostString() + ":" + proxy.getPort() + " opened no connection: "
                + (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException
                        ? "its host is unknown"
                        : cause.getMessage())
                + (unauthorized(cause) ? "; it refused the credentials, or wants some other than Basic" : ""));
        initCause(cause);
    }

    /** Returns whether it wants other credentials. */
    public boolean unauthorized() {
        return getCause() != null && unauthorized(getCause());
    }

    // Netty keeps the status in the text only.
    private static boolean unauthorized(Throwable cause) {
        return cause.getMessage() != null && cause.getMessage().contains(UNAUTHORIZED);
    }
}
