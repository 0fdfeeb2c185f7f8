package io.stowline.transport.internal;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import reactor.core.publisher.Mono;

/**
 * The application's HTTP client, made to read answers whole when it is asked to. Whoever wraps an HTTP client in a lambda loses the
 * context that says so.
 */
final class WholeAnswers implements HttpClient {

    private final HttpClient client;

    WholeAnswers(HttpClient client) {
        this.client = client;
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return client.send(request);
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request, Context context) {
        Mono<HttpResponse> answer = client.send(request, context);
        boolean whole = Boolean.TRUE.equals(context.getData(Bodies.EAGER).orElse(false));
        return whole ? answer.flatMap(BufferedAnswer::of) : answer;
    }
}
