package io.stowline.transport.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.net.URL;
import java.time.Instant;
import reactor.core.publisher.Mono;

/** Dates and signs each attempt by the table service's form of Shared Key (its page "Authorize with Shared Key"). */
final class SharedKeyPolicy implements HttpPipelinePolicy {

    private static final HttpHeaderName DATE = HttpHeaderName.fromString("x-ms-date");

    private final String account;
    private final SharedKey key;
    private final ServerClock clock;
    private final HttpDates dates = new HttpDates();

    SharedKeyPolicy(StorageAccount account, ServerClock clock) {
        this.account = account.name();
        this.key = account.key();
        this.clock = clock;
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        Instant now = clock.now();
        Call.in(context).sent(now);
        sign(context.getHttpRequest(), now);
        return next.process();
    }

    void sign(HttpRequest request, Instant now) {
        String date = dates.print(now.getEpochSecond());
        request.setHeader(DATE, date);
        String signature = key.sign(stringToSign(request, date));
        request.setHeader(HttpHeaderName.AUTHORIZATION, "SharedKey " + account + ":" + signature);
    }

    private String stringToSign(HttpRequest request, String date) {
        return request.getHttpMethod() + "\n"
                + value(request, HttpHeaderName.CONTENT_MD5) + "\n"
                + value(request, HttpHeaderName.CONTENT_TYPE) + "\n"
                + date + "\n"
                + resource(request.getUrl());
    }

    /** Of the query only {@code comp} is signed. */
    private String resource(URL url) {
        String path = url.getPath().isEmpty() ? "/" : url.getPath();
        return "/" + account + path + comp(url.getQuery());
    }

    private static String comp(String query) {
        if (query == null) {
            return "";
        }
        for (String parameter : query.split("&", -1)) {
            if (parameter.startsWith("comp=")) {
                return "?" + parameter;
            }
        }
        return "";
    }

    private static String value(HttpRequest request, HttpHeaderName name) {
        String value = request.getHeaders().getValue(name);
        return value == null ? "" : value;
    }
}
