package io.stowline.records.internal.blob;

import com.azure.storage.blob.models.BlobType;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.ReactiveAppendBlob;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.blob.ReactiveBlobLease;
import io.stowline.error.ConflictException;
import io.stowline.error.FailureDetails;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.transport.ReadFrom;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** The append blobs of a container of the service. Reads go to the primary, since a copy of it lags behind. */
final class ContainerBlobs implements LeasedBlobs {

    private static final Logger LOG = LoggerFactory.getLogger(ContainerBlobs.class);

    private final ReactiveBlobContainer container;
    private final Duration duration;
    private final String contentType;
    private final int maxAppend;

    ContainerBlobs(ReactiveBlobContainer container, Duration duration, String contentType) {
        this.container = container.withReadPreference(ReadFrom.PRIMARY);
        this.duration = duration;
        this.contentType = contentType;
        this.maxAppend = container.appendBlob("any").maxAppend();
    }

    @Override
    public int maxAppend() {
        return maxAppend;
    }

    /** A blob that is there is taken as it is: with a lease, of another type, or made by an attempt whose response was lost. */
    @Override
    public Mono<LeasedBlob> begin(String name) {
        return container
                .appendBlob(name)
                .createIfMissing()
                .onErrorResume(
                        e -> e instanceof PreconditionFailedException
                                || (e instanceof ConflictException conflict && !conflict.isBeingDeleted()),
                        there -> Mono.just(false))
                .flatMap(made -> made ? leased(name).flatMap(blob -> guarded(blob, labelled(blob))) : resume(name));
    }

    @Override
    public Mono<LeasedBlob> resume(String name) {
        return container
                .info(name)
                .flatMap(this::appendable)
                .then(Mono.defer(() -> leased(name)))
                .flatMap(blob -> guarded(
                        blob,
                        container
                                .info(name)
                                .doOnNext(info -> blob.length = info.size())
                                .flatMap(info -> info.size() == 0 ? labelled(blob) : Mono.just(blob))));
    }

    /** Ends the lease of a blob that does not get to the caller. */
    private static Mono<LeasedBlob> guarded(Taken blob, Mono<LeasedBlob> rest) {
        return rest.doOnError(e -> blob.release().subscribe())
                .doOnCancel(() -> blob.release().subscribe());
    }

    private Mono<Void> appendable(BlobInfo info) {
        if (info.type() == null || info.type() == BlobType.APPEND_BLOB) {
            return Mono.empty();
        }
        return Mono.error(new ConflictException(
                new FailureDetails(
                        "append",
                        container.name() + "/" + info.name(),
                        409,
                        ChunkAppend.INVALID_TYPE,
                        "there is a " + info.type() + " of this name, to which nothing can be appended",
                        1,
                        0,
                        Duration.ZERO,
                        null,
                        "",
                        null,
                        "another try meets the same blob"),
                null));
    }

    /** A lease that is there is of a process that has ended, or one that this process has lost: no other client writes these names. */
    private Mono<Taken> leased(String name) {
        return container
                .lease(name, duration)
                .onErrorResume(
                        e -> e instanceof OutcomeUnknownException
                                || (e instanceof ConflictException conflict && !conflict.isBeingDeleted()),
                        taken -> container
                                .breakLease(name, Duration.ZERO)
                                .onErrorResume(ConflictException.class, over -> Mono.empty())
                                .then(Mono.defer(() -> container.lease(name, duration))))
                .map(lease -> new Taken(name, lease));
    }

    /** The media type is for readers of other kinds: a blob without it is as good. */
    private Mono<LeasedBlob> labelled(Taken blob) {
        return container
                .withLease(blob.lease)
                .setHeaders(blob.name, headers -> headers.contentType(contentType))
                .onErrorResume(StorageException.class, e -> {
                    LOG.debug("{} has no media type", blob.name, e);
                    return Mono.empty();
                })
                .thenReturn(blob);
    }

    /** A blob under a lease. */
    private final class Taken implements LeasedBlob {

        private final String name;
        private final ReactiveBlobLease lease;
        private final ReactiveAppendBlob blob;
        private volatile long length;
        private final AtomicInteger appends = new AtomicInteger();

        Taken(String name, ReactiveBlobLease lease) {
            this.name = name;
            this.lease = lease;
            this.blob = container.withLease(lease).appendBlob(name);
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public long length() {
            return length;
        }

        @Override
        public int appends() {
            return appends.get();
        }

        @Override
        public boolean isHeld() {
            return lease.isHeld();
        }

        @Override
        public Mono<Void> append(byte[] bytes) {
            return Mono.defer(() -> blob.append(bytes, length))
                    .doOnNext(appended -> {
                        length = appended.end();
                        appends.incrementAndGet();
                    })
                    .then();
        }

        @Override
        public Mono<String> md5(long position, long size) {
            return container
                    .open(name, part -> part.range(position, size).asStored())
                    .reduceWith(ChunkHash::md5, (digest, buffer) -> {
                        digest.update(buffer);
                        return digest;
                    })
                    .map(MessageDigest::digest)
                    .map(Base64.getEncoder()::encodeToString);
        }

        @Override
        public Mono<Void> release() {
            return lease.close().onErrorComplete();
        }
    }
}
