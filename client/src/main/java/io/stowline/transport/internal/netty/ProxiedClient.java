package io.stowline.transport.internal.netty;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import io.stowline.transport.internal.http.ProxyConnectionException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.channels.UnresolvedAddressException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A client that sends the requests of others through a proxy, except those to its non-proxy hosts, and names the proxy where it opened no connection. */
final class ProxiedClient implements HttpClient {

    private static final int DEEPEST_CAUSE = 20;

    private final InetSocketAddress proxy;
    private final DirectHosts direct;
    private final HttpClient through;
    private final HttpClient straight;

    ProxiedClient(ProxySelection selection, HttpClient through, HttpClient straight) {
        this.proxy = selection.proxy().getAddress();
        this.direct = selection.direct();
        this.through = through;
        this.straight = straight;
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return send(request, Context.NONE);
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request, Context context) {
        URL url = request.getUrl();
        if (direct.contain(url.getHost(), url.getPort() < 0 ? url.getDefaultPort() : url.getPort())) {
            return straight.send(request, context);
        }
        return through.send(request, context).onErrorMap(this::named);
    }

    private Throwable named(Throwable error) {
        Throwable refusal = refusal(error);
        return refusal == null ? error : new ProxyConnectionException(proxy, refusal);
    }

    /**
     * The handler of TLS, which has written its first bytes by then, puts a failure before the refusal that caused it.
     */
    private static @Nullable Throwable refusal(Throwable error) {
        Throwable cause = error;
        for (int depth = 0; cause instanceof SSLException && depth < DEEPEST_CAUSE; depth++) {
            cause = cause.getCause();
        }
        return cause instanceof ConnectException || cause instanceof UnresolvedAddressException ? cause : null;
    }
}
