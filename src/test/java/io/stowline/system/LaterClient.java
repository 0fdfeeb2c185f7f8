package io.stowline.system;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import reactor.core.publisher.Mono;

/** An HTTP client to which the service's clock seems to be ahead. */
final class LaterClient implements HttpClient {

    private final HttpClient real;
    private final Duration ahead;

    LaterClient(HttpClient real, Duration ahead) {
        this.real = real;
        this.ahead = ahead;
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return send(request, Context.NONE);
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request, Context context) {
        return real.send(request, context).doOnNext(this::shift);
    }

    private void shift(HttpResponse response) {
        String date = response.getHeaderValue(HttpHeaderName.DATE);
        if (date != null) {
            ZonedDateTime shifted = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .plus(ahead);
            response.getHeaders().set(HttpHeaderName.DATE, DateTimeFormatter.RFC_1123_DATE_TIME.format(shifted));
        }
    }
}
