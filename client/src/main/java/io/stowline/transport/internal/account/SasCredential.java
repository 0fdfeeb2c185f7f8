package io.stowline.transport.internal.account;

import com.azure.core.credential.AzureSasCredential;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import io.stowline.transport.internal.account.AccountCredential.Authorizer;
import io.stowline.transport.internal.http.HttpDates;
import java.time.Instant;
import java.util.Locale;
import reactor.core.publisher.Mono;

/**
 * A shared access signature, which the application may exchange while the client runs. It is put on the address of each attempt and
 * nowhere else.
 */
final class SasCredential implements AccountCredential, Authorizer {

    private static final HttpHeaderName DATE = HttpHeaderName.fromString("x-ms-date");

    private final AzureSasCredential credential;
    private final HttpDates dates = new HttpDates();

    SasCredential(String setting, AzureSasCredential credential) {
        this.credential = credential;
        String held = current();
        if (!held.toLowerCase(Locale.ROOT).contains("sig=") || held.contains("://")) {
            throw new IllegalArgumentException(
                    setting + " is not a shared access signature of the form sv=…&sig=… (its value is not shown)");
        }
    }

    @Override
    public Authorizer authorizer(Service service) {
        return this;
    }

    @Override
    public Mono<Proof> authorize(HttpRequest request, Instant now) {
        String used = current();
        request.setHeader(DATE, dates.print(now.getEpochSecond()));
        char separator = request.getUrl().getQuery() == null ? '?' : '&';
        request.setUrl(request.getUrl().toString() + separator + used);
        return Mono.just(refusal -> used.equals(current())
                ? null
                : refusal.status() + ", but the shared access signature has changed since the attempt began");
    }

    @Override
    public String scope() {
        return AccountCredential.fingerprint("signature", current());
    }

    private String current() {
        String held = credential.getSignature().strip();
        return held.startsWith("?") ? held.substring(1) : held;
    }

    @Override
    public String toString() {
        return "SharedAccess(not shown)";
    }
}
