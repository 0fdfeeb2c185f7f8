package io.stowline.transport.internal.netty;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.ProxyOptions;
import com.azure.core.util.Context;
import io.stowline.transport.internal.http.ProxyConnectionException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Sends requests through a proxy, except those to its non-proxy hosts, and names the proxy where it opened no connection. */
final class ProxiedClient implements HttpClient {

    private final String proxy;
    private final @Nullable Pattern nonProxyHosts;
    private final HttpClient through;
    private final HttpClient straight;

    ProxiedClient(ProxyOptions options, HttpClient through, HttpClient straight) {
        InetSocketAddress address = options.getAddress();
        this.proxy = address.getHostString() + ":" + address.getPort();
        this.nonProxyHosts = options.getNonProxyHosts() == null
                ? null
                : Pattern.compile(options.getNonProxyHosts(), Pattern.CASE_INSENSITIVE);
        this.through = through;
        this.straight = straight;
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return send(request, Context.NONE);
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request, Context context) {
        if (nonProxyHosts != null
                && nonProxyHosts.matcher(request.getUrl().getHost()).matches()) {
            return straight.send(request, context);
        }
        return through.send(request, context).onErrorMap(ProxiedClient::noConnection, this::named);
    }

    private static boolean noConnection(Throwable error) {
        return error instanceof ConnectException || error instanceof UnresolvedAddressException;
    }

    private Throwable named(Throwable error) {
        return new ProxyConnectionException(proxy, error);
    }
}
