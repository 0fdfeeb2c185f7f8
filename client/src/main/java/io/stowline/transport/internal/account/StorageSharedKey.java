package io.stowline.transport.internal.account;

import com.azure.core.credential.AzureNamedKey;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import com.azure.storage.common.StorageSharedKeyCredential;
import io.stowline.transport.internal.http.HttpDates;
import java.time.Instant;
import reactor.core.publisher.Mono;

/** Dates and signs each attempt by the blob and queue services' form of Shared Key (their page "Authorize with Shared Key"). */
final class StorageSharedKey implements Authorizer {

    private static final HttpHeaderName DATE = HttpHeaderName.fromString("x-ms-date");

    private final SharedKeyCredential key;
    private final StorageSharedKeyCredential signer;
    private final HttpDates dates = new HttpDates();

    StorageSharedKey(SharedKeyCredential key) {
        this.key = key;
        this.signer = StorageSharedKeyCredential.fromAzureNamedKeyCredential(key.credential());
    }

    @Override
    public Mono<Proof> authorize(HttpRequest request, Instant now) {
        AzureNamedKey used = key.current();
        request.setHeader(DATE, dates.print(now.getEpochSecond()));
        if (request.getBodyAsBinaryData() == null && request.getHeaders().get(HttpHeaderName.CONTENT_LENGTH) == null) {
            // The SDK's signer writes "null" for a length that is not there (12.33); its own clients always send one.
            request.setHeader(HttpHeaderName.CONTENT_LENGTH, "0");
        }
        request.setHeader(
                HttpHeaderName.AUTHORIZATION,
                signer.generateAuthorizationHeader(
                        request.getUrl(), request.getHttpMethod().toString(), request.getHeaders(), false));
        return Mono.just(key.proof(used));
    }
}
