package io.stowline.blob.internal.operations;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobTagFilter;
import io.stowline.blob.BlobTree;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.ComputeThreads;
import io.stowline.blob.internal.request.ListedElement;
import io.stowline.blob.internal.request.ListingRequests;
import io.stowline.blob.internal.request.ListingRequests.BlobPage;
import io.stowline.blob.internal.request.ListingRequests.ListingQuery;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.client.NamePrefixes;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.outcome.StoredTexts;
import io.stowline.transport.internal.pipeline.ErrorMapper;
import io.stowline.transport.internal.request.PageFlux;
import io.stowline.transport.internal.request.PageTrail;
import io.stowline.transport.internal.request.ResponseParser.ParseResult.Unreadable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.Scheduler;

/** The listings of a container, page by page as they are read. Thread-safe. */
public record BlobListing(BlobContext context) {

    /** A page of 5,000 blobs, the most that the service gives, is 4 MiB of XML, beside the memory of a transfer. */
    private static final int NAMES_OF_TRANSFERS = 4_000;

    private static final int MAX_PARALLELISM = 256;

    /** The blobs of a prefix that are requested before its turn. */
    private static final int AHEAD = 32;

    private static final List<String> INCLUDED_FACTS = List.of("copy", "metadata");

    /**
     * Returns all blobs whose names begin with the prefix.
     *
     * @param prefix the beginning, may be empty
     * @return their facts in the order of their names
     */
    public Flux<BlobInfo> flat(String prefix) {
        Objects.requireNonNull(prefix, "prefix");
        return elements(new ListingQuery(prefix, null, INCLUDED_FACTS, null), ListedElement::info);
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
        List<String> include = snapshots ? List.of("copy", "metadata", "snapshots") : INCLUDED_FACTS;
        return elements(new ListingQuery(prefix, null, include, NAMES_OF_TRANSFERS), (element, origin) -> {
            boolean kept = element.snapshot() != null;
            return new Listed(ListedBlob.of(element.name().substring(prefix.length()), element), kept, kept);
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
        return elements(
                new ListingQuery(prefix, delimiter, INCLUDED_FACTS, null), BlobListing::entry, BlobListing::inOrder);
    }

    /** A page has its blobs, then its prefixes. */
    private static List<BlobTree.Entry> inOrder(List<BlobTree.Entry> page) {
        List<BlobTree.Entry> sorted = new ArrayList<>(page);
        sorted.sort((one, two) -> Arrays.compareUnsigned(
                one.name().getBytes(StandardCharsets.UTF_8), two.name().getBytes(StandardCharsets.UTF_8)));
        return sorted;
    }

    private static BlobTree.Entry entry(ListedElement element, ReadOrigin origin) {
        return new BlobTree.Entry(element.name(), element.isFolder() ? null : element.info(origin));
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
        return pages(
                ListingRequests.byTags(context, "findByTags", expression),
                element -> null,
                (element, origin) -> new BlobTagFilter.Match(element.name(), StoredTexts.tags(element.tags())),
                page -> page);
    }

    /**
     * Returns the kept states of one blob, and the present one.
     *
     * @return the entries of the listing, the oldest first
     */
    public Flux<ListedElement> revisions(String name) {
        ListingQuery query =
                new ListingQuery(name, null, List.of("copy", "deleted", "metadata", "snapshots", "versions"), null);
        // Names that only begin with it come behind it.
        return this.<ListedElement>pages(
                        ListingRequests.of(context, "revisions", query),
                        element -> null,
                        (element, origin) -> element,
                        page -> page)
                .takeWhile(element -> element.name().equals(name));
    }

    private <R> Flux<R> elements(ListingQuery query, BiFunction<ListedElement, ReadOrigin, R> meaning) {
        return elements(query, meaning, page -> page);
    }

    private <R> Flux<R> elements(
            ListingQuery query, BiFunction<ListedElement, ReadOrigin, R> meaning, UnaryOperator<List<R>> order) {
        return pages(
                ListingRequests.of(context, "list", query), element -> fault(element, query.prefix()), meaning, order);
    }

    /** Returns why the service cannot have listed this under the prefix, or {@code null}. */
    private static @Nullable String fault(ListedElement element, String prefix) {
        if (!element.name().startsWith(prefix)) {
            return "the page has a blob whose name does not begin with the prefix";
        }
        if (element.name().length() > StorageLimits.BLOB_NAME_MAX_CHARS) {
            return "the page has a name of more than " + StorageLimits.BLOB_NAME_MAX_CHARS + " characters";
        }
        return element.isFolder() && element.name().equals(prefix)
                ? "the page has the folder that is listed as a folder in itself"
                : null;
    }

    /** One page of results, and the place of the next; null at the end. */
    private record Page<R>(List<R> results, @Nullable PagePlace next) {}

    /**
     * The place at which a page is requested.
     *
     * @param trail the markers so far
     * @param before the place of the page before it, or {@code null} for the first page
     */
    private record PagePlace(
            PageTrail<String> trail, @Nullable ReadOrigin before) {}

    /**
     * Each page is a separate call, requested when the reader wants it; an empty page with a marker is a page like
     * others. A marker belongs to the place that gave it.
     *
     * @param fault finds why an element cannot be in the list, or returns {@code null}
     */
    private <R> Flux<R> pages(
            ListingRequests requests,
            Function<ListedElement, @Nullable String> fault,
            BiFunction<ListedElement, ReadOrigin, R> meaning,
            UnaryOperator<List<R>> order) {
        Function<PagePlace, Mono<Page<R>>> page = place -> {
            Mono<StorageResponse> arrived = context.calls()
                    .direct()
                    .observed(
                            requests.verb(),
                            requests::resource,
                            () -> requests.page(place.trail().from())
                                    .routed(context.reads().onwards(place.before())),
                            (response, exchange) -> response);
            Mono<Page<R>> read = arrived.flatMap(response ->
                    offIo(response).map(body -> read(requests, response, place.trail(), fault, meaning, order)));
            return context.asOperation(context.read(requests.verb(), requests.resource()), read);
        };
        return PageFlux.of(() -> new PageWalk<>(page, context.service().timer()))
                .concatMapIterable(Page::results, 1);
    }

    /** Returns the response on a thread that may compute for as long as its page takes. */
    private static Mono<StorageResponse> offIo(StorageResponse response) {
        Mono<StorageResponse> here = Mono.just(response);
        return response.body().length < ComputeThreads.PIECE ? here : here.publishOn(ComputeThreads.SHARED);
    }

    private static <R> Page<R> read(
            ListingRequests requests,
            StorageResponse response,
            PageTrail<String> trail,
            Function<ListedElement, @Nullable String> fault,
            BiFunction<ListedElement, ReadOrigin, R> meaning,
            UnaryOperator<List<R>> order) {
        String wrong = null;
        try {
            BlobPage page = BlobPage.read(response.body());
            String marker = page.marker();
            List<R> results = new ArrayList<>(page.elements().size());
            for (ListedElement element : page.elements()) {
                wrong = fault.apply(element);
                if (wrong != null) {
                    break;
                }
                results.add(meaning.apply(element, response.origin()));
            }
            if (wrong == null) {
                wrong = trail.against(marker, results.isEmpty());
            }
            if (wrong == null) {
                PagePlace next = marker == null
                        ? null
                        : new PagePlace(trail.onwards(marker, results.isEmpty()), response.origin());
                return new Page<>(order.apply(results), next);
            }
        } catch (IOException | RuntimeException e) {
            wrong = "the list cannot be parsed (" + Unreadable.reason(e) + ")";
        }
        throw ErrorMapper.undecodable(response, requests.verb(), requests.resource(), wrong, null);
    }

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
}
