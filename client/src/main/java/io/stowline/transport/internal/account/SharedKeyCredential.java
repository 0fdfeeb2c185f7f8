package io.stowline.transport.internal.account;

import com.azure.core.credential.AzureNamedKey;
import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.storage.common.StorageSharedKeyCredential;
import com.azure.storage.common.policy.StorageSharedKeyCredentialPolicy;
import io.stowline.transport.internal.account.AccountCredential.Authorizer;
import io.stowline.transport.internal.http.HttpDates;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** An account key with the account's name, which the application may exchange while the client runs. */
public final class SharedKeyCredential implements AccountCredential {

    private final AzureNamedKeyCredential credential;

    /**
     * Checks the key that is held now.
     *
     * @param credential the name and the key
     * @throws IllegalArgumentException if the name is no name or the key is not Base64; neither is shown
     */
    public SharedKeyCredential(AzureNamedKeyCredential credential) {
        NameRules.account(
                "the account name of credential", credential.getAzureNamedKey().getName());
        HmacSigner.of(credential.getAzureNamedKey().getKey());
        this.credential = credential;
    }

    @Override
    public Authorizer authorizer(Service service) {
        return service == Service.TABLE ? new TableSharedKey(this) : new StorageSharedKey(this);
    }

    @Override
    public String account() {
        return current().getName();
    }

    @Override
    public String scope() {
        AzureNamedKey key = current();
        return AccountCredential.fingerprint("key of " + key.getName(), key.getKey());
    }

    @Override
    public List<HttpPipelinePolicy> signers() {
        return List.of(new StorageSharedKeyCredentialPolicy(
                StorageSharedKeyCredential.fromAzureNamedKeyCredential(credential)));
    }

    AzureNamedKeyCredential credential() {
        return credential;
    }

    AzureNamedKey current() {
        return credential.getAzureNamedKey();
    }

    /** What an attempt was signed with; worth another one if the key was exchanged since. */
    Authorizer.Proof proof(AzureNamedKey used) {
        return refusal ->
                changed(used) ? refusal.status() + ", but the account key has changed since the attempt began" : null;
    }

    private boolean changed(@Nullable AzureNamedKey used) {
        return used != current();
    }

    @Override
    public String toString() {
        return "NamedKey[" + account() + ", not shown]";
    }

    /** Dates and signs each attempt by the blob and queue services' form of Shared Key (their page "Authorize with Shared Key"). */
    static final class StorageSharedKey implements Authorizer {

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
            if (request.getBodyAsBinaryData() == null
                    && request.getHeaders().get(HttpHeaderName.CONTENT_LENGTH) == null) {
                // The SDK's signer writes "null" for a length that is not there (12.33); its own clients always send
                // one.
                request.setHeader(HttpHeaderName.CONTENT_LENGTH, "0");
            }
            request.setHeader(
                    HttpHeaderName.AUTHORIZATION,
                    signer.generateAuthorizationHeader(
                            request.getUrl(), request.getHttpMethod().toString(), request.getHeaders(), false));
            return Mono.just(key.proof(used));
        }
    }
}
