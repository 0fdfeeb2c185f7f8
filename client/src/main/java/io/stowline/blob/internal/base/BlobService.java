package io.stowline.blob.internal.base;

import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.BlobServiceAsyncClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import io.stowline.batching.internal.callback.Callbacks;
import io.stowline.blob.internal.transfer.TransferMemory;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.NameRules;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.account.StorageAccount;
import io.stowline.transport.internal.client.ClientCache;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.sdk.SdkCalls;
import java.net.URI;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** The blob service of one account as one client uses it. Thread-safe. */
public final class BlobService {

    private final Supplier<URI> endpoint;
    private final SdkCalls calls;
    private final RetrySettings retry;
    private final Surroundings around;
    private final TransferMemory memory = TransferMemory.ofHeap();
    private volatile @Nullable BlobServiceAsyncClient sdk;
    private volatile @Nullable BlobServiceAsyncClient lent;

    /**
     * Prepares the service; nothing is sent, and the account need not have blobs.
     *
     * @param retry how operations are tried
     */
    public BlobService(StorageAccount account, ClientRuntime connection, RetrySettings retry) {
        this(
                () -> used(account, connection),
                connection.sdk(Service.BLOB),
                retry,
                new Surroundings(
                        connection.timer(),
                        connection.delivery(),
                        connection.cache(),
                        account.credential().signers()));
    }

    /** The address, which is requested with the first container. */
    private static URI used(StorageAccount account, ClientRuntime connection) {
        URI endpoint = account.endpoint(Service.BLOB);
        connection.use(Service.BLOB);
        return endpoint;
    }

    /**
     * What a client's services share.
     *
     * @param timer the clock and alarm of all waits
     * @param callbacks where results are delivered
     * @param cache what is kept of what was read
     * @param signers by what the SDK's clients sign what they sign themselves
     */
    record Surroundings(Scheduler timer, Callbacks callbacks, ClientCache cache, List<HttpPipelinePolicy> signers) {}

    BlobService(Supplier<URI> endpoint, SdkCalls calls, RetrySettings retry, Surroundings around) {
        this.endpoint = endpoint;
        this.calls = calls;
        this.retry = retry;
        this.around = around;
    }

    /**
     * What the faces of one container stand on.
     *
     * @param name the container's name
     * @return its scope
     * @throws IllegalArgumentException if the service does not allow the name, or the connection string gives no address for blobs
     */
    public BlobContext container(String name) {
        return new BlobContext(
                this, sdk().getBlobContainerAsyncClient(NameRules.container(name)), retry, calls.reads(), calls, null);
    }

    /** Two threads may make one each; they are the same. */
    private BlobServiceAsyncClient sdk() {
        BlobServiceAsyncClient made = sdk;
        if (made == null) {
            made = sdk(List.of());
            sdk = made;
        }
        return made;
    }

    private BlobServiceAsyncClient sdk(List<HttpPipelinePolicy> signers) {
        return new BlobServiceClientBuilder()
                .endpoint(endpoint.get().toString())
                .pipeline(SdkPipelineAdapter.over(calls.pipeline(), signers))
                .buildAsyncClient();
    }

    /** The SDK's client of a container for the application, which can sign on its own where there is a key. Ours does not sign twice. */
    BlobContainerAsyncClient lent(String name) {
        BlobServiceAsyncClient made = lent;
        if (made == null) {
            made = around.signers().isEmpty() ? sdk() : sdk(around.signers());
            lent = made;
        }
        return made.getBlobContainerAsyncClient(name);
    }

    /** What is kept of what was read. */
    public ClientCache cache() {
        return around.cache();
    }

    public Scheduler timer() {
        return around.timer();
    }

    /** Where results are delivered. */
    Callbacks callbacks() {
        return around.callbacks();
    }

    /** The memory that all transfers share. */
    public TransferMemory memory() {
        return memory;
    }

    /** Whether the client has given up what was in flight: a request that begins now is not sent. */
    public boolean hasGivenUp() {
        return pipeline().observing().inFlight().abandoned();
    }

    /** Ends when the client gives up what is in flight. */
    public Mono<Void> whenGivenUp() {
        return pipeline().observing().inFlight().whenAbandoned();
    }

    /** The way of requests that no SDK client makes. */
    public StoragePipeline pipeline() {
        return calls.direct().pipeline();
    }
}
