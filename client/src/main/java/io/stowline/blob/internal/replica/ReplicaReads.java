package io.stowline.blob.internal.replica;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.DownloadSettings.FileDownload;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.OpenedContent;
import io.stowline.blob.internal.download.Download;
import io.stowline.blob.internal.file.DownloadTo;
import io.stowline.blob.internal.operations.BlobOperations;
import io.stowline.blob.internal.rule.BlobNameRules;
import io.stowline.error.BadRequestException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Reads that choose a copy by a hash of the instance, and try each other copy once when one fails, is missing, is over or has an older version than an
 * earlier read has met. Thread-safe.
 */
public final class ReplicaReads {

    private static final Logger LOG = LoggerFactory.getLogger(ReplicaReads.class);

    private final ReplicaSet replicas;
    private final Scheduler timer;

    /** The time of the first read, in nanoseconds of the timer. */
    private final long start;

    public ReplicaReads(ReplicaSet replicas) {
        this.replicas = replicas;
        this.timer = replicas.source().service().timer();
        Duration window = replicas.settings().startWithin();
        this.start = timer.now(TimeUnit.NANOSECONDS)
                + (long) (window.toNanos()
                        * ReplicaOrder.startOf(replicas.settings().seed()));
    }

    /** Opens the content of a copy in one version, to be closed unless it is read. */
    public Mono<OpenedContent> opened(String name, DownloadSettings settings) {
        return read(name, settings, context -> accepted(context, name, settings));
    }

    private Mono<OpenedContent> accepted(BlobContext context, String name, DownloadSettings settings) {
        return new Download(context).opened(name, settings).flatMap(content -> {
            if (serves(context, content.info())) {
                return Mono.just(content);
            }
            content.close();
            return Mono.empty();
        });
    }

    /** Reads the whole content of a copy, or a part of it; an {@link IllegalStateException} if there is more of it than the limit. */
    public Mono<byte[]> whole(String name, DownloadSettings settings) {
        return read(
                name, settings, context -> new Download(context).whole(name, settings, blob -> serves(context, blob)));
    }

    /** Writes a copy to a file, in the version that is found first. */
    public Mono<FileDownload> file(String name, DownloadSettings settings, Path target) {
        return read(name, settings, context -> new BlobOperations(context)
                        .info(name)
                        .filter(info -> serves(context, info))
                        .flatMap(info -> new DownloadTo(context, name, pinned(settings, info)).toFile(target)))
                .flatMap(done -> Flux.fromIterable(replicas.containers())
                        .concatMap(context -> new DownloadTo(context, name, settings).discardUnfinished(target))
                        .then(Mono.just(done)));
    }

    private static DownloadSettings pinned(DownloadSettings settings, BlobInfo info) {
        return new DownloadSettings(
                settings.parallelism(),
                settings.rangeSize(),
                settings.checksum(),
                settings.resume(),
                settings.limit(),
                settings.from(),
                settings.length(),
                Optional.of(info.etag()),
                settings.ifTags(),
                settings.asStored(),
                settings.maxRatio(),
                settings.maxExpanded(),
                settings.progress());
    }

    /** Returns whether a blob is a copy that may be read; the source always is. */
    private boolean serves(BlobContext context, BlobInfo blob) {
        if (context.equals(replicas.source())) {
            replicas.newest().noteSource(blob.name(), ReplicaMarker.of(blob, null));
            return true;
        }
        ReplicaMarker version = ReplicaMarker.in(blob);
        return version != null
                && !version.isOver(context.service().pipeline().clock().instant())
                && replicas.newest().acceptsCopy(blob.name(), version);
    }

    private <T> Mono<T> read(String name, DownloadSettings settings, Function<BlobContext, Mono<T>> from) {
        return Mono.defer(() -> {
            BlobNameRules.check(name);
            if (settings.ifMatch().isPresent() || settings.ifTags().isPresent()) {
                throw new IllegalArgumentException(
                        "ifMatch and ifTags are conditions on one blob; replicas read any copy. Read from its"
                                + " container");
            }
            List<Integer> order = ReplicaOrder.of(
                    replicas.settings().seed(), name, replicas.containers().size());
            return started().then(new Choice<>(order, from).next(0));
        });
    }

    private Mono<Long> started() {
        long wait = start - timer.now(TimeUnit.NANOSECONDS);
        return wait <= 0 ? Mono.empty() : replicas.source().service().pause(Duration.ofNanos(wait));
    }

    private boolean mayBeElsewhere(Throwable error) {
        return replicas.isOfOneCopy(error) && !(error instanceof BadRequestException);
    }

    /**
     * The choice of a copy for one read. The error of the source is that of the read: the source has all blobs, and serves whatever it has, so that
     * a read which no copy serves has its failure.
     */
    private final class Choice<T> {

        private final List<Integer> order;
        private final Function<BlobContext, Mono<T>> from;
        private final List<Throwable> failures = new ArrayList<>();

        Choice(List<Integer> order, Function<BlobContext, Mono<T>> from) {
            this.order = order;
            this.from = from;
        }

        Mono<T> next(int position) {
            return Mono.defer(() -> {
                if (position == order.size()) {
                    return failure();
                }
                int copy = order.get(position);
                BlobContext context = replicas.containers().get(copy);
                return Mono.defer(() -> from.apply(context))
                        .onErrorResume(ReplicaReads.this::mayBeElsewhere, error -> {
                            LOG.debug("a copy at {} was not read", context.url(), error);
                            failures.add(copy == 0 ? 0 : failures.size(), error);
                            return Mono.empty();
                        })
                        .switchIfEmpty(next(position + 1));
            });
        }

        private Mono<T> failure() {
            Throwable first = failures.get(0);
            failures.stream().skip(1).filter(other -> other != first).forEach(first::addSuppressed);
            return Mono.error(first);
        }
    }
}
