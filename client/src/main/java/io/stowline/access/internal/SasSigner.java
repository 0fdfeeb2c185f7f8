package io.stowline.access.internal;

import io.stowline.access.SharedAccessSignature;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.AccountCredential;
import io.stowline.transport.internal.account.BearerTokenCredential;
import io.stowline.transport.internal.account.Endpoint;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.account.SharedKeyCredential;
import io.stowline.transport.internal.account.StorageAccount;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.ServiceVersion;
import java.net.URI;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The signer of one service of an account: by its key, or by user delegation where the client has a {@code TokenCredential}. Thread-safe.
 */
public final class SasSigner {

    /** The first version in which tables and queues take signatures by user delegation. */
    private static final ServiceVersion DELEGATION_EVERYWHERE = new ServiceVersion("2026-02-06");

    private final StorageAccount account;
    private final Service service;
    private final StoragePipeline pipeline;
    private final DelegationKeys delegation;

    /** Makes the signer of one service, which keeps its delegation key. */
    public SasSigner(StorageAccount account, Service service, StoragePipeline pipeline, RetrySettings retry) {
        this.account = account;
        this.service = service;
        this.pipeline = pipeline;
        this.delegation = new DelegationKeys(pipeline, delegationVersion(), () -> account.endpoint(service), retry);
    }

    /** Returns the signer of an account, whose address is that of the blobs, or else of the queues or tables. */
    public static SasSigner ofAccount(StorageAccount account, ClientRuntime runtime, RetrySettings retry) {
        Service known = account.endpoints().containsKey(Service.BLOB)
                ? Service.BLOB
                : account.endpoints().containsKey(Service.QUEUE) ? Service.QUEUE : Service.TABLE;
        return new SasSigner(account, known, runtime.to(known), retry);
    }

    String accountName() {
        return account.name();
    }

    /** Returns the service whose resources it signs for. */
    public Service service() {
        return service;
    }

    /** Returns the address of the service. */
    public URI endpoint() {
        return account.endpoint(service);
    }

    /** Returns the way of requests to the service. */
    public StoragePipeline pipeline() {
        return pipeline;
    }

    /** Returns the service's time, as far as it is known. */
    Instant now() {
        return pipeline.serverTime();
    }

    /** Returns whether the endpoint is this machine, which need not be reached by HTTPS. */
    boolean isLocal() {
        return Endpoint.isLoopback(endpoint());
    }

    /** Signs for an account, which only its key can do. */
    Mono<SharedAccessSignature> signAccount(SasFields unversioned, @Nullable Instant end) {
        return Mono.fromSupplier(() -> {
            SasFields fields =
                    unversioned.with(SasFields.VERSION, pipeline.version().date());
            return made(endpoint(), fields, key().sign(StringToSign.account(fields)), end);
        });
    }

    private SharedKeyCredential key() {
        if (account.credential() instanceof SharedKeyCredential key) {
            return key;
        }
        throw new IllegalStateException(
                "the account's signature takes its key, and this client has none; sign for one resource instead");
    }

    /**
     * Signs for a resource.
     *
     * @param resource its address
     * @param end when the signature ends, or {@code null} if a policy sets that
     */
    Mono<SharedAccessSignature> sign(URI resource, SasFields fields, @Nullable Instant end) {
        AccountCredential credential = account.credential();
        if (credential instanceof SharedKeyCredential key) {
            return Mono.fromSupplier(() -> {
                SasFields signed =
                        fields.with(SasFields.VERSION, pipeline.version().date());
                return made(resource, signed, key.sign(StringToSign.service(service, signed, null)), end);
            });
        }
        if (credential instanceof BearerTokenCredential) {
            return delegated(resource, fields, end);
        }
        throw new IllegalStateException("a client with only a shared access signature cannot make others: give it the"
                + " account key or a TokenCredential");
    }

    private Mono<SharedAccessSignature> delegated(URI resource, SasFields fields, @Nullable Instant end) {
        if (end == null || !fields.value(SasFields.POLICY).isEmpty()) {
            throw new IllegalArgumentException(
                    "byPolicy takes the account key: a signature by user delegation has no stored access policy");
        }
        Instant now = now();
        if (end.isAfter(now.plus(DelegationKeys.MAX_LIFE))) {
            throw new IllegalArgumentException(
                    "a signature by user delegation is good for at most 7 days, but its end is " + end);
        }
        SasFields versioned = fields.with(SasFields.VERSION, delegationVersion().date());
        return delegation.until(end, now).map(key -> {
            SasFields signed = versioned.with(key);
            return made(resource, signed, key.signer().sign(StringToSign.service(service, signed, key)), end);
        });
    }

    private ServiceVersion delegationVersion() {
        ServiceVersion set = pipeline.version();
        return service != Service.BLOB && set.isOlderThan(DELEGATION_EVERYWHERE) ? DELEGATION_EVERYWHERE : set;
    }

    private static SharedAccessSignature made(URI resource, SasFields fields, String signature, @Nullable Instant end) {
        StringBuilder token = new StringBuilder();
        fields.parameters().forEach((name, value) -> add(token, name, value));
        add(token, "sig", signature);
        return SharedAccessSignature.of(resource, token.toString(), end);
    }

    private static void add(StringBuilder token, String name, String value) {
        token.append(token.length() == 0 ? "" : "&").append(name).append('=').append(Request.encoded(value));
    }
}
