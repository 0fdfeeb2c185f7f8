package io.stowline.transport.internal.account;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import io.stowline.transport.internal.account.AccountCredential.Authorizer;
import io.stowline.transport.internal.account.SharedKeyCredential.KeySigner;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.HttpDates;
import java.time.Instant;
import reactor.core.publisher.Mono;

/** An authorizer that dates and signs each attempt by the table service's form of Shared Key (its page "Authorize with Shared Key"). */
final class TableSharedKey implements Authorizer {

    private static final HttpHeaderName DATE = HttpHeaderName.fromString("x-ms-date");

    private final SharedKeyCredential key;
    private final HttpDates dates = new HttpDates();

    TableSharedKey(SharedKeyCredential key) {
        this.key = key;
    }

    @Override
    public boolean signsEachRequest() {
        return true;
    }

    @Override
    public Mono<Proof> authorize(HttpRequest request, Instant now) {
        return Mono.just(authorizeAtOnce(request, now));
    }

    @Override
    public Proof authorizeAtOnce(HttpRequest request, Instant now) {
        KeySigner current = key.signer();
        String date = dates.print(now.getEpochSecond());
        request.setHeader(DATE, date);
        return key.signed(request, current, stringToSign(current.account(), request, date));
    }

    private static SignedText stringToSign(String account, HttpRequest request, String date) {
        String address = DirectRequest.address(request);
        SignedText text = SignedText.begin()
                .add(request.getHttpMethod().toString())
                .add('\n')
                .add(SharedKeyCredential.value(request, HttpHeaderName.CONTENT_MD5))
                .add('\n')
                .add(SharedKeyCredential.value(request, HttpHeaderName.CONTENT_TYPE))
                .add('\n')
                .add(date)
                .add("\n/")
                .add(account);
        addResource(text, address);
        return text;
    }

    /** The query counts only with {@code comp}. */
    private static void addResource(SignedText text, String address) {
        int query = SharedKeyCredential.addPath(text, address);
        for (int from = query; from >= 0; from = address.indexOf('&', from + 1)) {
            if (address.startsWith("comp=", from + 1)) {
                int next = address.indexOf('&', from + 1);
                text.add('?').add(address, from + 1, next < 0 ? address.length() : next);
                return;
            }
        }
    }
}
