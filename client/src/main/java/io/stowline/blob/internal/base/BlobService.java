package io.stowline.blob.internal.base;

import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.BlobServiceAsyncClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.BlobServiceVersion;
import io.stowline.access.internal.SasSigner;
import io.stowline.blob.internal.transfer.TransferMemory;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.NameRules;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.account.StorageAccount;
import io.stowline.transport.internal.client.ClientCache;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.client.NameListing;
import io.stowline.transport.internal.concurrent.Callbacks;
import io.stowline.transport.internal.concurrent.FatalErrors;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.request.ServiceVersion;
import io.stowline.transport.internal.sdk.SdkCalls;
import io.stowline.transport.internal.sdk.SdkEndpoint;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/** The blob service of one account as one client uses it. Thread-safe. */
public final class BlobService {

    private final Supplier<URI> root;
    private final String account;
    private final SdkCalls calls;
    private final Surroundings around;
    private final TransferMemory memory = TransferMemory.ofHeap();
    private final Set<Function<Duration, Mono<Void>>> openLeases = ConcurrentHashMap.newKeySet();
    private final Sinks.Empty<Void> closing = Sinks.empty();
    private volatile @Nullable BlobSdk sdk;

    /**
     * Prepares the service; nothing is sent, and the account need not have blobs.
     *
     * @param retry how operations are tried
     */
    public BlobService(StorageAccount account, ClientRuntime runtime, RetrySettings retry) {
        this(
                account.name(),
                () -> used(account, runtime),
                runtime.sdk(Service.BLOB, retry),
                new Surroundings(
                        runtime.timer(),
                        runtime.delivery(),
                        runtime.cache(),
                        account.credential().signers(),
                        new SasSigner(account, Service.BLOB, runtime.to(Service.BLOB), retry)));
    }

    /** The address, which is requested with the first container. */
    private static URI used(StorageAccount account, ClientRuntime runtime) {
        URI endpoint = account.endpoint(Service.BLOB);
        runtime.use(Service.BLOB);
        return endpoint;
    }

    /**
     * The environment that a client's services share.
     *
     * @param timer the clock and alarm of all waits
     * @param callbacks the callbacks that deliver results
     * @param cache the cache of reads
     * @param signers the signing policies of requests that the SDK's clients sign themselves
     * @param signer the signer of access for others
     */
    record Surroundings(
            Scheduler timer,
            Callbacks callbacks,
            ClientCache cache,
            List<HttpPipelinePolicy> signers,
            SasSigner signer) {}

    BlobService(String account, Supplier<URI> root, SdkCalls calls, Surroundings around) {
        this.account = account;
        this.root = root;
        this.calls = calls;
        this.around = around;
    }

    /**
     * Returns the context of one container.
     *
     * @param name the container's name
     * @return its context
     * @throws IllegalArgumentException if the service does not allow the name, or the connection string gives no address for blobs
     */
    public BlobContext container(String name) {
        return new BlobContext(this, sdk().own.getBlobContainerAsyncClient(NameRules.container(name)), calls, null);
    }

    SasSigner signer() {
        return around.signer();
    }

    /**
     * Returns the listing of the containers whose names begin with a prefix, as the service gives it: without those of the system.
     *
     * @throws IllegalArgumentException if the account has no blob endpoint
     */
    public NameListing<String> containers(String prefix) {
        return NameListing.inXml(pipeline(), calls.view().retry(), root.get(), "listContainers", "Containers", prefix);
    }

    /**
     * The SDK's clients of the service.
     *
     * @param endpoint where both send
     * @param own the client of this library, which does not sign twice
     * @param applicationClient the client of the application, which can sign on its own where there is a key
     */
    private record BlobSdk(
            SdkEndpoint endpoint, BlobServiceAsyncClient own, BlobServiceAsyncClient applicationClient) {}

    /** Two threads may make one each; they are equal. */
    private BlobSdk sdk() {
        BlobSdk made = sdk;
        if (made == null) {
            BlobServiceVersion pinned = SdkEndpoint.nearest(BlobServiceVersion.values(), calls.version());
            SdkEndpoint endpoint = SdkEndpoint.of(account, Service.BLOB, root.get(), calls.version(), pinned);
            BlobServiceAsyncClient applicationClient = client(endpoint, endpoint.root(), pinned, around.signers());
            made = new BlobSdk(
                    endpoint,
                    client(endpoint, endpoint.standIn(), pinned, List.of()),
                    endpoint.isKeptBy(applicationClient.getAccountUrl())
                            ? applicationClient
                            : client(endpoint, endpoint.standIn(), pinned, around.signers()));
            sdk = made;
        }
        return made;
    }

    private BlobServiceAsyncClient client(
            SdkEndpoint endpoint, String address, BlobServiceVersion pinned, List<HttpPipelinePolicy> signers) {
        return new BlobServiceClientBuilder()
                .endpoint(address)
                .serviceVersion(pinned)
                .pipeline(SdkPipelineAdapter.over(
                        calls.pipeline(),
                        Stream.concat(Stream.of(endpoint), signers.stream()).toList()))
                .buildAsyncClient();
    }

    /** Returns the SDK's client of a container for the application. */
    BlobContainerAsyncClient applicationClient(String name) {
        return sdk().applicationClient.getBlobContainerAsyncClient(name);
    }

    /** Returns the name of the account. */
    public String account() {
        return account;
    }

    /** Returns the address of a container. */
    String url(String container) {
        return sdk().endpoint.root() + "/" + container;
    }

    /** Returns the version that all requests name. */
    public ServiceVersion version() {
        return calls.version();
    }

    /** Returns the cache of reads. */
    public ClientCache cache() {
        return around.cache();
    }

    public Scheduler timer() {
        return around.timer();
    }

    /** Returns the callbacks that deliver results. */
    public Callbacks callbacks() {
        return around.callbacks();
    }

    /** Returns the memory that all transfers share. */
    public TransferMemory memory() {
        return memory;
    }

    /** Returns whether the client has given up its operations in flight: a request that begins now is not sent. */
    public boolean hasGivenUp() {
        return pipeline().observer().inFlight().abandoned();
    }

    /** Returns whether the client refuses new operations. */
    public boolean isClosed() {
        return pipeline().observer().inFlight().isClosed();
    }

    /** Ends when the client gives up what is in flight. */
    public Mono<Void> whenGivenUp() {
        return pipeline().observer().inFlight().whenAbandoned();
    }

    /**
     * Registers a lease that is given back when the client closes.
     *
     * @param end ends the lease within a time
     */
    public void register(Function<Duration, Mono<Void>> end) {
        openLeases.add(end);
    }

    /** Forgets a registered lease, which has ended. */
    public void deregister(Function<Duration, Mono<Void>> end) {
        openLeases.remove(end);
    }

    /** Returns a wait without a request, which ends with an error when the client closes: its timer stops then. */
    public <A> Mono<A> unlessClosed(Mono<A> wait) {
        return wait.takeUntilOther(closing.asMono()
                .then(Mono.error(() -> pipeline().observer().inFlight().refusal())));
    }

    /** Returns a pause without a request, which ends with an error when the client closes. */
    public Mono<Long> pause(Duration time) {
        return unlessClosed(FatalErrors.handingOver(Mono.delay(time, timer())));
    }

    /**
     * Ends the waits of candidates, and gives back the leases that are still open.
     *
     * @param within the time for it; a lease that was not given back by then ends by itself
     */
    public Mono<Void> close(Duration within) {
        return Mono.defer(() -> {
            closing.tryEmitEmpty();
            return Mono.when(openLeases.stream().map(end -> end.apply(within)).toList());
        });
    }

    /** Returns the pipeline of requests that no SDK client makes. */
    public StoragePipeline pipeline() {
        return calls.direct().pipeline();
    }
}
