package io.stowline.queue.internal;

import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.QueueMessageEncoding;
import com.azure.storage.queue.QueueServiceAsyncClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import com.azure.storage.queue.QueueServiceVersion;
import io.stowline.access.internal.SasSigner;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.NameRules;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.account.StorageAccount;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.client.NameListing;
import io.stowline.transport.internal.concurrent.Callbacks;
import io.stowline.transport.internal.request.RequestTarget;
import io.stowline.transport.internal.sdk.SdkCalls;
import io.stowline.transport.internal.sdk.SdkEndpoint;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The queue service of one account as one client uses it. Thread-safe. */
public final class QueueService {

    private final StorageAccount account;
    private final ClientRuntime runtime;
    private final SdkCalls calls;
    private final UnconfirmedDeletes completed;
    private final SasSigner signer;
    private volatile @Nullable QueueServiceAsyncClient applicationClient;

    /**
     * Prepares the service; nothing is sent.
     *
     * @param retry how operations are tried
     */
    public QueueService(StorageAccount account, ClientRuntime runtime, RetrySettings retry) {
        this.account = account;
        this.runtime = runtime;
        this.calls = runtime.sdk(Service.QUEUE, retry);
        this.signer = new SasSigner(account, Service.QUEUE, runtime.to(Service.QUEUE), retry);
        this.completed = new UnconfirmedDeletes(runtime.to(Service.QUEUE).clock());
    }

    /**
     * Returns the operations of one queue.
     *
     * @param name the queue's name
     * @return its client
     * @throws IllegalArgumentException if the service does not allow the name, or the account has no queue endpoint
     */
    public QueueOperations queue(String name) {
        String root = account.endpoint(Service.QUEUE).toString();
        QueueRequests requests = new QueueRequests(
                RequestTarget.of(NameRules.queue(name)), calls.view().headers(), root + "/" + name);
        runtime.use(Service.QUEUE);
        AtomicReference<@Nullable QueueAsyncClient> ofQueue = new AtomicReference<>();
        return new QueueOperations(
                () -> Objects.requireNonNull(ofQueue.updateAndGet(
                        known -> known == null ? applicationClient().getQueueAsyncClient(name) : known)),
                calls.view(),
                runtime.to(Service.QUEUE),
                completed,
                requests,
                signer);
    }

    /**
     * Returns the listing of the queues whose names begin with a prefix.
     *
     * @throws IllegalArgumentException if the account has no queue endpoint
     */
    public NameListing<String> queues(String prefix) {
        URI root = account.endpoint(Service.QUEUE);
        runtime.use(Service.QUEUE);
        return NameListing.inXml(runtime.to(Service.QUEUE), calls.view().retry(), root, "listQueues", "Queues", prefix);
    }

    /** The SDK's client for the application, which may want it to sign on its own. Two threads may make one each, and either serves. */
    private QueueServiceAsyncClient applicationClient() {
        QueueServiceAsyncClient known = applicationClient;
        if (known == null) {
            QueueServiceVersion pinned = SdkEndpoint.nearest(QueueServiceVersion.values(), calls.version());
            SdkEndpoint endpoint = SdkEndpoint.of(
                    account.name(), Service.QUEUE, account.endpoint(Service.QUEUE), calls.version(), pinned);
            known = client(endpoint, endpoint.root(), pinned);
            if (!endpoint.isKeptBy(known.getQueueServiceUrl())) {
                known = client(endpoint, endpoint.standIn(), pinned);
            }
            applicationClient = known;
        }
        return known;
    }

    private QueueServiceAsyncClient client(SdkEndpoint endpoint, String address, QueueServiceVersion pinned) {
        List<HttpPipelinePolicy> signers = account.credential().signers();
        return new QueueServiceClientBuilder()
                .endpoint(address)
                .serviceVersion(pinned)
                .pipeline(calls.pipeline(
                        Stream.concat(Stream.of(endpoint), signers.stream()).toList()))
                .messageEncoding(QueueMessageEncoding.NONE)
                .buildAsyncClient();
    }

    /** Returns the callbacks that deliver results. */
    public Callbacks callbacks() {
        return runtime.delivery();
    }
}
