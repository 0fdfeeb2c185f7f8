package io.stowline.transport.internal.http.response;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import io.stowline.transport.internal.http.ResponseBounds.ResponseTooLongException;
import reactor.core.publisher.Mono;

/**
 * azure-core's HTTP client or the application's, made to read responses whole on request, up to a bound. A client that
 * does so by itself would keep any length in memory, and one that is wrapped in a lambda loses the context of the
 * request.
 */
public final class EagerHttpClient implements HttpClient {

    /** Set by azure-core for every call whose response it reads whole. */
    public static final String EAGER = "azure-eagerly-read-response";

    /** Set by azure-core for every call that has no use for the body: its client waits for all of it, however long. */
    static final String IGNORED = "azure-ignore-response-body";

    private final HttpClient client;

    public EagerHttpClient(HttpClient client) {
        this.client = client;
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return client.send(request).flatMap(EagerHttpClient::checked);
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request, Context context) {
        boolean complete = isSet(context, EAGER) || isSet(context, IGNORED);
        Context own = complete ? context.addData(EAGER, false).addData(IGNORED, false) : context;
        Mono<HttpResponse> response = client.send(request, own).flatMap(EagerHttpClient::checked);
        return complete ? response.flatMap(BufferedResponse::of) : response;
    }

    private static boolean isSet(Context context, String key) {
        return Boolean.TRUE.equals(context.getData(key).orElse(false));
    }

    private static Mono<HttpResponse> checked(HttpResponse response) {
        try {
            ResponseTooLongException.check(response.getHeaders());
            return Mono.just(response);
        } catch (ResponseTooLongException e) {
            response.close();
            return Mono.error(e);
        }
    }
}
