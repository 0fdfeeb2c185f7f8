package io.stowline.blob.internal.replica;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.CopySettings;
import io.stowline.blob.ReplicaReport;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.copy.ContainerSource;
import io.stowline.blob.internal.copy.ServerCopy;
import io.stowline.blob.internal.operations.BlobOperations;
import io.stowline.blob.internal.operations.PropertyReads;
import io.stowline.blob.internal.request.BlobReads.StoredProperties;
import io.stowline.error.ClosedException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The publication of a blob to the other containers of a set, and the removal of these copies. Each write names the version that it found, so that no
 * foreign blob and no copy of another publisher is replaced or removed. Thread-safe.
 */
public final class ReplicaPublication {

    private static final Logger LOG = LoggerFactory.getLogger(ReplicaPublication.class);
    private static final String PUBLISH = "publish";

    private final ReplicaSet replicas;
    private final TargetSettings targets;

    public ReplicaPublication(ReplicaSet replicas, TargetSettings targets) {
        this.replicas = replicas;
        this.targets = targets;
    }

    /** A maker of the settings of one copy. */
    @FunctionalInterface
    public interface TargetSettings {

        /**
         * Returns the settings of one copy.
         *
         * @param etag the version that it replaces, or {@code null} if there must be none
         * @param metadata changes the metadata
         */
        UploadSettings of(
                CopySettings settings,
                BlobInfo source,
                @Nullable String etag,
                UnaryOperator<Map<String, String>> metadata);
    }

    /**
     * Copies one version of a blob to all other containers.
     *
     * @throws IllegalArgumentException if the settings name conditions on the target
     */
    public Mono<ReplicaReport> publish(String name, CopySettings settings) {
        if (settings.overwrite()
                || settings.ifMatch().isPresent()
                || settings.ifTags().isPresent()) {
            throw new IllegalArgumentException(
                    "overwrite, ifMatch and ifTags are not for publish, which replaces the copies that it finds");
        }
        ContainerSource source = new ContainerSource(replicas.source(), name);
        Mono<BlobInfo> version = new PropertyReads(replicas.source())
                .version(PUBLISH, name, settings.sourceIfMatch().orElse(null))
                .map(StoredProperties::info);
        return version.flatMap(from -> {
            Instant until = replicas.settings()
                    .expireAfter()
                    .map(now(replicas.source())::plus)
                    .orElse(null);
            Publication publication = new Publication(settings, source, from, ReplicaMarker.of(from, until));
            replicas.newest().noteSource(name, publication.marker);
            return report(name, from.etag(), publication::published);
        });
    }

    private static Instant now(BlobContext context) {
        return context.service().pipeline().clock().instant();
    }

    /** Removes the copies of a blob, whatever their version, and no other blob. */
    public Mono<ReplicaReport> remove(String name) {
        return report(name, "", context -> found(context, name).flatMap(found -> {
            if (found.isEmpty()) {
                return Mono.just(item(context, name, Action.UNCHANGED, 0, null));
            }
            BlobInfo blob = found.get();
            return ReplicaMarker.in(blob) == null
                    ? Mono.just(item(context, name, Action.SKIPPED, 0, foreign(context, name)))
                    : removed(context, name, blob.etag()).thenReturn(item(context, name, Action.DELETED, 0, null));
        }));
    }

    /** A copy that is gone is removed. */
    private static Mono<Void> removed(BlobContext context, String name, String etag) {
        return new BlobOperations(context)
                .delete(name, etag)
                .then()
                .onErrorResume(NotFoundException.class, gone -> Mono.empty());
    }

    private Mono<ReplicaReport> report(String name, String version, Function<BlobContext, Mono<Item>> work) {
        return Flux.fromIterable(replicas.others())
                .flatMapSequential(
                        context -> Mono.defer(() -> work.apply(context))
                                .onErrorResume(
                                        replicas::isOfOneCopy,
                                        error -> Mono.just(item(context, name, Action.FAILED, 0, error))),
                        replicas.others().size())
                .collectList()
                .map(copies -> new ReplicaReport(name, version, copies));
    }

    private static Mono<Optional<BlobInfo>> found(BlobContext context, String name) {
        return new BlobOperations(context).find(name).map(Optional::of).defaultIfEmpty(Optional.empty());
    }

    private static Item item(BlobContext context, String name, Action action, long bytes, @Nullable Throwable error) {
        return new Item(context.url(name), action, bytes, error);
    }

    private static IllegalStateException foreign(BlobContext context, String name) {
        return new IllegalStateException("the blob at " + context.url(name)
                + " is not a copy that publish made, and stays; delete it, or leave out its container");
    }

    /** The publication of one version. */
    private final class Publication {

        private final CopySettings settings;
        private final ContainerSource source;
        private final BlobInfo from;
        private final ReplicaMarker marker;

        Publication(CopySettings settings, ContainerSource source, BlobInfo from, ReplicaMarker marker) {
            this.settings = settings;
            this.source = source;
            this.from = from;
            this.marker = marker;
        }

        Mono<Item> published(BlobContext context) {
            return found(context, from.name()).flatMap(found -> {
                ReplicaMarker present = found.map(ReplicaMarker::in).orElse(null);
                if (found.isPresent() && present == null) {
                    return Mono.just(item(context, from.name(), Action.FAILED, 0, foreign(context, from.name())));
                }
                // A copy with an end is made once more, since its end moves.
                if (marker.equals(present) && marker.until() == null) {
                    return Mono.just(item(context, from.name(), Action.UNCHANGED, 0, null));
                }
                return copied(context, found.map(BlobInfo::etag).orElse(null));
            });
        }

        private Mono<Item> copied(BlobContext context, @Nullable String etag) {
            return new ServerCopy(
                            context,
                            PUBLISH,
                            from.name(),
                            source,
                            read -> targets.of(settings, read, etag, marker::set))
                    .run(from.etag())
                    .doOnNext(copy -> expire(context, copy))
                    .map(copy -> item(context, from.name(), Action.TRANSFERRED, from.size(), null));
        }

        /** The marker ends the copy for all readers; this ends its storage, while the client is open. */
        private void expire(BlobContext context, BlobWriteResult copy) {
            Instant until = marker.until();
            if (until == null || copy.etag().isEmpty()) {
                return;
            }
            Duration left = Duration.between(now(context), until);
            Disposable unused = context.service()
                    .pause(left.isNegative() ? Duration.ZERO : left)
                    .flatMap(over -> removed(context, from.name(), copy.etag()))
                    .subscribe(done -> {}, error -> notRemoved(context, error));
        }

        private void notRemoved(BlobContext context, Throwable error) {
            if (!(error instanceof PreconditionFailedException) && !(error instanceof ClosedException)) {
                LOG.warn(
                        "the copy at {} is over and was not removed; remove it by BlobReplicas.remove",
                        context.url(from.name()),
                        error);
            }
        }
    }
}
