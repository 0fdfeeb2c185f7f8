package io.stowline.transport.internal;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import reactor.core.publisher.Mono;

/**
 * azure-core's HTTP client or the application's, made to read answers whole when it is asked to, and no more of them than a bound. It
 * is done here, since a client that is asked for it would hold in memory whatever comes, and one that is wrapped in a lambda loses the
 * context that asks.
 */
final class WholeAnswers implements HttpClient {

    private final HttpClient client;

    WholeAnswers(HttpClient client) {
        this.client = client;
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return client.send(request).flatMap(WholeAnswers::checked);
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request, Context context) {
        boolean whole = Boolean.TRUE.equals(context.getData(Bodies.EAGER).orElse(false));
        Mono<HttpResponse> answer = client.send(request, whole ? context.addData(Bodies.EAGER, false) : context)
                .flatMap(WholeAnswers::checked);
        return whole ? answer.flatMap(BufferedAnswer::of) : answer;
    }

    private static Mono<HttpResponse> checked(HttpResponse answer) {
        try {
            AnswerTooLongException.check(answer.getHeaders());
            return Mono.just(answer);
        } catch (AnswerTooLongException e) {
            answer.close();
            return Mono.error(e);
        }
    }
}
