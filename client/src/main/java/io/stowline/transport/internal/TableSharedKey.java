package io.stowline.transport.internal;

import com.azure.core.credential.AzureNamedKey;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import java.net.URL;
import java.time.Instant;
import reactor.core.publisher.Mono;

/** Dates and signs each attempt by the table service's form of Shared Key (its page "Authorize with Shared Key"). */
final class TableSharedKey implements Authorizer {

    private static final HttpHeaderName DATE = HttpHeaderName.fromString("x-ms-date");

    private final NamedKey key;
    private final HttpDates dates = new HttpDates();
    private volatile Signer signer;

    TableSharedKey(NamedKey key) {
        this.key = key;
        this.signer = Signer.of(key.current());
    }

    @Override
    public Mono<Proof> authorize(HttpRequest request, Instant now) {
        Signer current = signer();
        String date = dates.print(now.getEpochSecond());
        request.setHeader(DATE, date);
        String signature = current.key().sign(stringToSign(current.account(), request, date));
        request.setHeader(HttpHeaderName.AUTHORIZATION, "SharedKey " + current.account() + ":" + signature);
        return Mono.just(key.proof(current.source()));
    }

    private Signer signer() {
        Signer known = signer;
        AzureNamedKey now = key.current();
        if (known.source() != now) {
            known = Signer.of(now);
            signer = known;
        }
        return known;
    }

    /** The key in the form that signs, made once for each key. */
    private record Signer(AzureNamedKey source, String account, SharedKey key) {
        static Signer of(AzureNamedKey source) {
            return new Signer(source, source.getName(), SharedKey.of(source.getKey()));
        }
    }

    private static String stringToSign(String account, HttpRequest request, String date) {
        return request.getHttpMethod() + "\n"
                + value(request, HttpHeaderName.CONTENT_MD5) + "\n"
                + value(request, HttpHeaderName.CONTENT_TYPE) + "\n"
                + date + "\n"
                + resource(account, request.getUrl());
    }

    /** Of the query only {@code comp} is signed. */
    private static String resource(String account, URL url) {
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
