package io.stowline;

import com.azure.core.util.serializer.JsonSerializer;
import io.stowline.access.AccountSasBuilder;
import io.stowline.access.SharedAccessSignature;
import io.stowline.access.internal.DefaultAccountSasBuilder;
import io.stowline.access.internal.SasSigner;
import io.stowline.blob.internal.base.BlobService;
import io.stowline.queue.internal.QueueService;
import io.stowline.queue.internal.consumer.ConsumerRegistry;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.service.Cors;
import io.stowline.service.ServiceProperties;
import io.stowline.service.ServiceType;
import io.stowline.service.internal.DefaultCors;
import io.stowline.service.internal.DefaultReactiveCors;
import io.stowline.service.internal.DefaultReactiveServiceProperties;
import io.stowline.service.internal.DefaultServiceProperties;
import io.stowline.service.internal.ServicePropertyOperations;
import io.stowline.table.ScanPolicy;
import io.stowline.table.internal.outbox.ClientOutbox;
import io.stowline.table.internal.outbox.DefaultOutbox;
import io.stowline.table.internal.outbox.DefaultReactiveOutbox;
import io.stowline.table.internal.transfer.DefaultTableTransfers;
import io.stowline.table.internal.writer.TableService;
import io.stowline.table.transfer.TableTransfers;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.account.StorageAccount;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.client.ClientSettings;
import io.stowline.transport.internal.client.NameListing;
import io.stowline.transport.internal.concurrent.Lazy;
import io.stowline.transport.internal.concurrent.UnblockableMono;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The services of one client, which are opened together and closed in their order. They do not refer to the client. Thread-safe. */
final class ClientServices {

    private static final Duration MIN_CLOSE = Duration.ofMillis(1);
    private static final Duration MAX_CLOSE = Duration.ofDays(1);

    private final StorageAccount account;
    private final ClientRuntime runtime;
    private final TableService tables;
    private final QueueService queues;
    private final ConsumerRegistry consumers;
    private final ClientOutbox outbox;
    private final Lazy<BlobService> blobs;
    private final SasSigner signer;
    private final RetrySettings retry;
    private final Duration closeTimeout;
    private final AtomicReference<@Nullable Mono<Void>> closing = new AtomicReference<>();

    /** Opens the services; nothing is sent. */
    ClientServices(
            StorageAccount account,
            ClientSettings settings,
            ScanPolicy scans,
            Duration closeTimeout,
            @Nullable JsonSerializer messageSerializer) {
        this.account = account;
        this.closeTimeout = closeTimeout;
        this.runtime = ClientRuntime.open(account, settings);
        this.retry = settings.retry();
        this.tables = new TableService(account, runtime, retry, scans);
        this.queues = new QueueService(account, runtime, retry);
        this.consumers = new ConsumerRegistry(account.name(), queues, runtime, messageSerializer);
        this.outbox = new ClientOutbox(consumers);
        tables.connect(outbox);
        this.blobs = new Lazy<>(this::openBlobs);
        this.signer = SasSigner.ofAccount(account, runtime, retry);
    }

    private BlobService openBlobs() {
        BlobService opened = new BlobService(account, runtime, retry);
        if (!isOpen()) {
            opened.close(Duration.ZERO).subscribe();
        }
        return opened;
    }

    private Mono<Void> closeBlobs(Duration within) {
        BlobService opened = blobs.peek();
        return opened == null ? Mono.empty() : opened.close(within);
    }

    /**
     * Checks the time for operations in flight.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    static Duration checked(Duration closeTimeout) {
        Objects.requireNonNull(closeTimeout, "closeTimeout");
        if (closeTimeout.compareTo(MIN_CLOSE) < 0 || closeTimeout.compareTo(MAX_CLOSE) > 0) {
            throw new IllegalArgumentException(
                    "closeTimeout is " + MIN_CLOSE + " to " + MAX_CLOSE + ", not " + closeTimeout);
        }
        return closeTimeout;
    }

    StorageAccount account() {
        return account;
    }

    TableService tables() {
        return tables;
    }

    TableTransfers transfers() {
        return new DefaultTableTransfers(tables);
    }

    DefaultOutbox outbox() {
        return new DefaultOutbox(new DefaultReactiveOutbox(tables, outbox));
    }

    ConsumerRegistry consumers() {
        return consumers;
    }

    BlobService blobs() {
        return blobs.get();
    }

    <R> AccountSasBuilder<R> sas(Function<Mono<SharedAccessSignature>, R> result) {
        return new DefaultAccountSasBuilder<>(signer, result);
    }

    Mono<SharedAccessSignature> delivered(Mono<SharedAccessSignature> signature) {
        return runtime.delivery().deliver(signature);
    }

    Mono<List<String>> listTables() {
        return runtime.delivery().deliver(tables.tables().names());
    }

    Mono<List<String>> listQueues(Collection<String> prefixes) {
        return runtime.delivery().deliver(NameListing.names(prefixes, queues::queues));
    }

    Mono<List<String>> listContainers(Collection<String> prefixes) {
        return runtime.delivery().deliver(NameListing.names(prefixes, blobs()::containers));
    }

    Cors cors(ServiceType type) {
        return new DefaultCors(new DefaultReactiveCors(properties(type), runtime.delivery()));
    }

    ServiceProperties serviceProperties(ServiceType type) {
        ServicePropertyOperations operations = properties(type);
        return new DefaultServiceProperties(
                operations, new DefaultReactiveServiceProperties(operations, runtime.delivery()));
    }

    private ServicePropertyOperations properties(ServiceType type) {
        Service service = Service.valueOf(type.name());
        URI root = account.endpoint(service);
        runtime.use(service);
        return new ServicePropertyOperations(type, runtime.to(service), root, retry);
    }

    boolean isOpen() {
        return closing.get() == null;
    }

    /** Returns why this thread cannot wait for the closing, or {@code null} if it can. */
    @Nullable
    String closeRefusal() {
        return consumers.closeRefusal();
    }

    /** Returns the closing for a subscriber. */
    Mono<Void> closeReactively() {
        return Mono.deferContextual(seen -> {
            String awaited = consumers.awaitedIn(seen);
            return awaited == null
                    ? new UnblockableMono<>(close(), this::blockRefusal)
                    : Mono.error(new IllegalStateException("a part of " + awaited
                            + " cannot wait for the end of its client, which waits for that code; subscribe to close()"
                            + " by itself"));
        });
    }

    private @Nullable String blockRefusal() {
        String refusal = closeRefusal();
        return refusal == null
                ? null
                : refusal + "; close() of reactive() is subscribed to, without block(), toIterable() or toFuture()";
    }

    /** Closes the services once; each call returns the same end. */
    Mono<Void> close() {
        closing.compareAndSet(null, Mono.defer(this::closeOnce).cache());
        return Objects.requireNonNull(closing.get());
    }

    /**
     * One deadline for all of it, of which consumers have half: the writers need time for what handlers have written.
     * The transport is closed whatever the end of the writers.
     */
    private Mono<Void> closeOnce() {
        Deadline deadline = Deadline.in(closeTimeout, runtime.timer());
        return consumers.close(closeTimeout.dividedBy(2)).then(Mono.defer(() -> tables.close(deadline.remaining())
                .materialize()
                .flatMap(end -> closeBlobs(deadline.remaining())
                        .then(Mono.defer(() -> runtime.close(deadline.remaining())))
                        .doOnTerminate(tables::release)
                        .then(
                                end.isOnError()
                                        ? Mono.<Void>error(Objects.requireNonNull(end.getThrowable()))
                                        : Mono.empty()))));
    }
}
