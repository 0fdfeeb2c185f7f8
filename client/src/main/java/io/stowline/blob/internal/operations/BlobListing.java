package io.stowline.blob.internal.operations;

import com.azure.core.http.rest.PagedFlux;
import com.azure.core.http.rest.PagedResponse;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobListDetails;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.models.TaggedBlobItem;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobTagFilter;
import io.stowline.blob.BlobTree;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobInfoMapper;
import io.stowline.error.ProtocolException;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.client.NamePrefixes;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.outcome.StoredTexts;
import io.stowline.transport.internal.request.DocumentedStatus;
import io.stowline.transport.internal.request.Operation;
import io.stowline.transport.internal.request.PageFlux;
import io.stowline.transport.internal.request.PageTrail;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.Scheduler;

/** The listings of a container, page by page as they are read. Thread-safe. */
public record BlobListing(BlobContext context) {

    private static final DocumentedStatus LIST = DocumentedStatus.list("Blobs");

    /**
     * A page of 5,000 blobs, the most that the service gives, takes 7 MiB while it is decoded, beside the memory of a
     * transfer.
     */
    private static final int NAMES_OF_TRANSFERS = 4_000;

    private static final int MAX_PARALLELISM = 256;

    /** The blobs of a prefix that are requested before its turn. */
    private static final int AHEAD = 32;

    /**
     * Returns all blobs whose names begin with the prefix.
     *
     * @param prefix the beginning, may be empty
     * @return their facts in the order of their names
     */
    public Flux<BlobInfo> flat(String prefix) {
        Objects.requireNonNull(prefix, "prefix");
        return items(
                prefix, options -> context.container().listBlobs(options), (item, origin) -> BlobInfoMapper.of(item)
                        .withOrigin(origin));
    }

    /**
     * Returns all blobs whose names begin with one of the prefixes. Of those in flight at most a page is read ahead of the reader.
     *
     * @param parallelism how many prefixes are listed at a time
     * @return their facts in the order of their names, each once
     * @throws IllegalArgumentException if the number is out of range
     */
    public Flux<BlobInfo> flat(Collection<String> prefixes, int parallelism) {
        if (parallelism < 1 || parallelism > MAX_PARALLELISM) {
            throw new IllegalArgumentException("parallelism is 1 to " + MAX_PARALLELISM + ", not " + parallelism);
        }
        // As values: an error that comes after the first one would be logged as dropped.
        return Flux.fromIterable(NamePrefixes.disjoint(prefixes))
                .flatMapSequential(
                        prefix -> flat(prefix).map(Signal::next).onErrorResume(e -> Mono.just(Signal.error(e))),
                        parallelism,
                        AHEAD)
                .dematerialize();
    }

    /** Returns the facts of the blobs that transfers of directories need, with their names behind the prefix. */
    public Flux<ListedBlob> listed(String prefix) {
        return transferred(prefix, false).map(Listed::blob).distinctUntilChanged(ListedBlob::name);
    }

    /** Returns the blobs, with a trait on each that has snapshots. The pages contain the snapshots too. */
    public Flux<ListedBlob> listedWithSnapshots(String prefix) {
        return transferred(prefix, true)
                .windowUntilChanged(one -> one.blob.name())
                .concatMap(states -> states.reduce(Listed::joined), 1)
                .filter(one -> !one.snapshot)
                .map(one -> one.snapshots ? one.blob.with(BlobTrait.SNAPSHOTS) : one.blob);
    }

    /**
     * An entry of a listing, or all entries of one name.
     *
     * @param snapshot whether it is a snapshot, and the blob itself is not among the entries
     * @param snapshots whether a snapshot is among the entries
     */
    private record Listed(ListedBlob blob, boolean snapshot, boolean snapshots) {

        Listed joined(Listed other) {
            return new Listed(snapshot ? other.blob : blob, snapshot && other.snapshot, snapshots || other.snapshots);
        }
    }

    private Flux<Listed> transferred(String prefix, boolean snapshots) {
        Objects.requireNonNull(prefix, "prefix");
        return items(
                prefix,
                options -> {
                    options.getDetails().setRetrieveCopy(true).setRetrieveSnapshots(snapshots);
                    return context.container().listBlobs(options.setMaxResultsPerPage(NAMES_OF_TRANSFERS));
                },
                (item, origin) -> {
                    boolean kept =
                            item.getSnapshot() != null && !item.getSnapshot().isEmpty();
                    return new Listed(ListedBlob.of(item.getName().substring(prefix.length()), item), kept, kept);
                });
    }

    /**
     * Returns the blobs whose names begin with the prefix and have no delimiter after that, and the common beginnings of the others.
     *
     * @param prefix the beginning, may be empty
     * @param delimiter what separates, not empty
     * @return one level of the hierarchy in the order of names
     */
    public Flux<BlobTree.Entry> level(String prefix, String delimiter) {
        Objects.requireNonNull(prefix, "prefix");
        Objects.requireNonNull(delimiter, "delimiter");
        if (delimiter.isEmpty()) {
            throw new IllegalArgumentException("the delimiter is empty");
        }
        return items(
                prefix,
                options -> context.container().listBlobsByHierarchy(delimiter, options),
                BlobListing::entry,
                BlobListing::inOrder);
    }

    /** A page has its blobs, then its prefixes. */
    private static List<BlobTree.Entry> inOrder(List<BlobTree.Entry> page) {
        List<BlobTree.Entry> sorted = new ArrayList<>(page);
        sorted.sort((one, two) -> Arrays.compareUnsigned(
                one.name().getBytes(StandardCharsets.UTF_8), two.name().getBytes(StandardCharsets.UTF_8)));
        return sorted;
    }

    private static BlobTree.Entry entry(BlobItem item, ReadOrigin origin) {
        BlobInfo info = Boolean.TRUE.equals(item.isPrefix())
                ? null
                : BlobInfoMapper.of(item).withOrigin(origin);
        return new BlobTree.Entry(item.getName(), info);
    }

    /**
     * Returns the blobs whose tags match the filter.
     *
     * @throws IllegalArgumentException if the service does not search by it
     */
    public Flux<BlobTagFilter.Match> tagged(BlobTagFilter filter) {
        String expression = Objects.requireNonNull(filter, "filter").expression();
        if (!filter.isSearchable()) {
            throw new IllegalArgumentException(
                    "the service does not search by alternatives and by notEqualTo: " + expression);
        }
        return this.<TaggedBlobItem, BlobTagFilter.Match>pages(
                context.read("findByTags", context.name()).succeeding(LIST),
                () -> context.container().findBlobsByTags(expression),
                (item, origin) -> new BlobTagFilter.Match(item.getName(), StoredTexts.tags(item.getTags())),
                page -> page);
    }

    /**
     * Returns the kept states of one blob, and the present one.
     *
     * @return the entries of the listing, the oldest first
     */
    public Flux<BlobItem> revisions(String name) {
        ListBlobsOptions options = new ListBlobsOptions()
                .setPrefix(name)
                .setDetails(new BlobListDetails()
                        .setRetrieveMetadata(true)
                        .setRetrieveCopy(true)
                        .setRetrieveSnapshots(true)
                        .setRetrieveVersions(true)
                        .setRetrieveDeletedBlobs(true));
        // Names that only begin with it come behind it.
        return this.<BlobItem, BlobItem>pages(
                        context.read("revisions", context.resource(name)).succeeding(LIST),
                        () -> context.container().listBlobs(options),
                        (item, origin) -> item,
                        page -> page)
                .takeWhile(item -> item.getName().equals(name));
    }

    /** One page of results, and what to request the next with; null at the end. */
    private record Page<R>(
            List<R> results,
            PageTrail<String> trail,
            @Nullable String marker,
            PageSource source) {

        /** Returns the place of the next page, or {@code null} at the end. */
        @Nullable
        PagePlace next() {
            return marker == null ? null : new PagePlace(trail.onwards(marker, results.isEmpty()), source.origin);
        }

        /** Returns why the list must not continue, or {@code null}. */
        @Nullable
        String endless() {
            return trail.against(marker, results.isEmpty());
        }

        static <T, R> Page<R> of(
                PageTrail<String> trail,
                PagedResponse<T> response,
                PageSource source,
                BiFunction<T, PageSource, R> meaning) {
            String marker = response.getContinuationToken();
            return new Page<>(
                    response.getValue().stream()
                            .map(item -> meaning.apply(item, source))
                            .toList(),
                    trail,
                    marker == null || marker.isEmpty() ? null : marker,
                    source);
        }
    }

    /** A function that makes the SDK's listing. */
    private interface Listing {
        PagedFlux<BlobItem> of(ListBlobsOptions options);
    }

    private <R> Flux<R> items(String prefix, Listing listing, BiFunction<BlobItem, ReadOrigin, R> meaning) {
        return items(prefix, listing, meaning, page -> page);
    }

    private <R> Flux<R> items(
            String prefix, Listing listing, BiFunction<BlobItem, ReadOrigin, R> meaning, UnaryOperator<List<R>> order) {
        ListBlobsOptions options = new ListBlobsOptions()
                .setPrefix(prefix.isEmpty() ? null : prefix)
                .setDetails(new BlobListDetails().setRetrieveMetadata(true).setRetrieveCopy(true));
        Operation operation = context.read("list", context.resource(prefix)).succeeding(LIST);
        BiFunction<BlobItem, PageSource, R> checked = (item, source) -> {
            if (!item.getName().startsWith(prefix)) {
                throw wrong(operation, source, "the page has a blob whose name does not begin with the prefix");
            }
            if (item.getName().length() > StorageLimits.BLOB_NAME_MAX_CHARS) {
                throw wrong(
                        operation,
                        source,
                        "the page has a name of more than " + StorageLimits.BLOB_NAME_MAX_CHARS + " characters");
            }
            if (Boolean.TRUE.equals(item.isPrefix()) && item.getName().equals(prefix)) {
                throw wrong(operation, source, "the page has the folder that is listed as a folder in itself");
            }
            return meaning.apply(item, source.origin);
        };
        return pages(operation, () -> listing.of(options), checked, order);
    }

    /**
     * Each page is a separate call, requested when the reader wants it; an empty page with a marker is a page like
     * others. A marker belongs to the place that gave it.
     */
    private <T, R> Flux<R> pages(
            Operation operation,
            Supplier<PagedFlux<T>> listing,
            BiFunction<T, PageSource, R> meaning,
            UnaryOperator<List<R>> order) {
        Function<PagePlace, Mono<Page<R>>> page = place -> context.located(
                        operation.routed(context.reads().onwards(place.before())),
                        () -> from(listing.get(), place.trail().from()),
                        (response, origin) ->
                                Page.of(place.trail(), response, PageSource.of(response, origin), meaning))
                .flatMap(next -> {
                    String endless = next.endless();
                    return endless == null ? Mono.just(next) : Mono.error(wrong(operation, next.source(), endless));
                });
        return PageFlux.of(() -> new PageWalk<>(page, context.service().timer()))
                .concatMapIterable(found -> order.apply(found.results()), 1);
    }

    /**
     * The response that a page is of.
     *
     * @param origin where it came from
     * @param ids of its request
     */
    private record PageSource(ReadOrigin origin, FailureFacts.Ids ids) {

        static PageSource of(PagedResponse<?> response, ReadOrigin origin) {
            return new PageSource(origin, FailureFacts.Ids.of(response.getRequest(), response.getHeaders()));
        }
    }

    /**
     * The place at which a page is requested.
     *
     * @param trail the markers so far
     * @param before the place of the page before it, or {@code null} for the first page
     */
    private record PagePlace(
            PageTrail<String> trail, @Nullable ReadOrigin before) {}

    /** One reader's walk through the pages of a listing. It keeps none of them: a page may be large. */
    private static final class PageWalk<R> implements PageFlux.Pages<Page<R>> {

        private final Function<PagePlace, Mono<Page<R>>> page;
        private volatile @Nullable PagePlace next;
        private volatile boolean cancelled;

        PageWalk(Function<PagePlace, Mono<Page<R>>> page, Scheduler clock) {
            this.page = page;
            this.next = new PagePlace(PageTrail.start(clock), null);
        }

        @Override
        public Mono<Page<R>> next() {
            return Mono.defer(() -> {
                        PagePlace place = next;
                        return place == null ? Mono.<Page<R>>empty() : page.apply(place);
                    })
                    .doOnNext(found -> next = found.next());
        }

        @Override
        public boolean ended() {
            return cancelled || next == null;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }

    private static ProtocolException wrong(Operation operation, PageSource source, String why) {
        return new ProtocolException(
                FailureFacts.of(operation.name(), operation.resource())
                        .tried(1, 0, Duration.ZERO)
                        .ids(source.ids)
                        .because(why, "read after the exchange had ended"),
                null);
    }

    private static <T> Mono<PagedResponse<T>> from(PagedFlux<T> listing, @Nullable String marker) {
        return (marker == null ? listing.byPage() : listing.byPage(marker)).next();
    }
}
