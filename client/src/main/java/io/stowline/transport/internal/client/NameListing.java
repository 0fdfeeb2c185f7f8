package io.stowline.transport.internal.client;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.http.ResponsePage;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.pipeline.DirectCalls;
import io.stowline.transport.internal.pipeline.ErrorMapper;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.request.DocumentedStatus;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.PageTrail;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import io.stowline.transport.internal.xml.XmlCursor;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;

/**
 * A listing that reads the names of one kind of resource of an account, such as its tables, over all pages. Thread-safe.
 *
 * @param <C> the continuation that a page has for the next one
 */
public final class NameListing<C> {

    /** The limit of all three services. */
    private static final int MAX_CHARS = StorageLimits.CONTAINER_NAME_MAX_CHARS;

    /** The prefixes that are listed at a time. */
    private static final int PARALLELISM = 8;

    private static final DocumentedStatus READ = DocumentedStatus.status(200);

    private final DirectCalls calls;
    private final String verb;
    private final String resource;
    private final String prefix;
    private final NamePages<C> pages;

    /**
     * A factory of the exchanges that read pages.
     *
     * @param <C> a continuation
     */
    @FunctionalInterface
    public interface NamePages<C> {

        /**
         * Makes the exchange of a page.
         *
         * @param continuation the continuation of the page before, or {@code null} for the first page
         */
        Exchange<NamePage<C>> from(@Nullable C continuation);
    }

    /**
     * The names of one page.
     *
     * @param next the continuation, or {@code null} on the last page
     * @param response the response that has the page
     * @param <C> a continuation
     */
    public record NamePage<C>(List<String> names, @Nullable C next, StorageResponse response) implements ResponsePage {

        @Override
        public int returned() {
            return names.size();
        }

        @Override
        public boolean continued() {
            return next != null;
        }
    }

    /**
     * Makes a listing; nothing is sent.
     *
     * @param verb the caller's verb
     * @param resource the resource that errors and listeners see
     * @param pages makes the exchange of each page
     */
    public NameListing(StoragePipeline pipeline, String verb, String resource, NamePages<C> pages) {
        this(pipeline, verb, resource, "", pages);
    }

    private NameListing(StoragePipeline pipeline, String verb, String resource, String prefix, NamePages<C> pages) {
        this.prefix = prefix;
        this.calls = DirectCalls.of(pipeline);
        this.verb = verb;
        this.resource = resource;
        this.pages = pages;
    }

    /**
     * Returns the listing of a service that lists in XML, by markers.
     *
     * @param root the address of the service
     * @param verb the caller's verb
     * @param list the element of the list, such as {@code Queues}
     * @param prefix the beginning of the names, may be empty
     */
    public static NameListing<String> inXml(
            StoragePipeline pipeline, RetrySettings retry, URI root, String verb, String list, String prefix) {
        String resource = list.toLowerCase(Locale.ROOT);
        String begin = Request.parameter("prefix", prefix.isEmpty() ? null : prefix);
        return new NameListing<>(pipeline, verb, resource, prefix, marker -> {
            String from = begin + Request.parameter("marker", marker);
            Request request = Request.of(
                            verb, resource, OperationType.READ, HttpMethod.GET, root + "/?comp=list" + from)
                    .addHeader(HttpHeaderName.ACCEPT, "application/xml");
            return Exchange.of(request, retry, response -> parsed(list, response));
        });
    }

    private static ParseResult<NamePage<String>> parsed(String list, StorageResponse response) {
        String wrong = READ.against(response.status());
        if (wrong != null) {
            return new ParseResult.Unreadable<>(wrong);
        }
        try {
            NamePage<String> page = read(list, response);
            return page == null
                    ? new ParseResult.Unreadable<>("the response has no list, the element " + list)
                    : new ParseResult.Value<>(page);
        } catch (IOException | RuntimeException e) {
            return new ParseResult.Unreadable<>("the list cannot be parsed (" + ParseResult.Unreadable.reason(e) + ")");
        }
    }

    private static @Nullable NamePage<String> read(String list, StorageResponse response) throws IOException {
        List<String> names = null;
        String marker = "";
        XmlCursor xml = new XmlCursor(response.body());
        String unused = xml.root();
        while (xml.next()) {
            if (xml.name().equals(list)) {
                names = new ArrayList<>();
                while (xml.next()) {
                    names.add(name(xml));
                }
            } else if (xml.name().equals("NextMarker")) {
                marker = xml.text();
            } else {
                xml.skip();
            }
        }
        return names == null ? null : new NamePage<>(names, marker.isEmpty() ? null : marker, response);
    }

    private static String name(XmlCursor entry) throws IOException {
        String name = "";
        while (entry.next()) {
            if (entry.name().equals("Name")) {
                name = entry.text();
            } else {
                entry.skip();
            }
        }
        return name;
    }

    /**
     * Returns all names, over as many pages as the service makes of them.
     *
     * @return the names in the service's order
     */
    public Mono<List<String>> names() {
        return Mono.defer(() -> page(PageTrail.start(calls.pipeline().timer())))
                .expand(page -> page.onwards == null ? Mono.empty() : page(page.onwards))
                .collect(ArrayList::new, (all, page) -> all.addAll(page.names));
    }

    /**
     * Returns the names that begin with one of the prefixes, whose listings run beside each other.
     *
     * @param listing makes the listing of a prefix
     * @return the names in the service's order, each once
     */
    public static Mono<List<String>> names(Collection<String> prefixes, Function<String, NameListing<?>> listing) {
        List<NameListing<?>> listings = new ArrayList<>();
        NamePrefixes.disjoint(prefixes).forEach(prefix -> listings.add(listing.apply(prefix)));
        // As values: an error that comes after the first one would be logged as dropped.
        return Flux.fromIterable(listings)
                .flatMapSequential(
                        one -> one.names().map(Signal::next).onErrorResume(e -> Mono.just(Signal.error(e))),
                        PARALLELISM)
                .<List<String>>dematerialize()
                .collect(ArrayList::new, List::addAll);
    }

    /**
     * A page behind its checks.
     *
     * @param onwards the trail to the next page, or {@code null} behind the last one
     */
    private record CheckedPage<C>(
            List<String> names, @Nullable PageTrail<C> onwards) {}

    private Mono<CheckedPage<C>> page(PageTrail<C> trail) {
        return calls.observed(
                verb, () -> resource, () -> pages.from(trail.from()), (page, exchange) -> checked(trail, page));
    }

    private CheckedPage<C> checked(PageTrail<C> trail, NamePage<C> page) {
        C next = page.next;
        boolean nothing = page.names.isEmpty();
        String fault = trail.against(next, nothing);
        for (String name : page.names) {
            if (name.isEmpty() || name.length() > MAX_CHARS) {
                fault = "the page has a name of " + name.length() + " characters; names have 1 to " + MAX_CHARS;
            } else if (!name.startsWith(prefix)) {
                fault = "the page has a name that does not begin with the prefix";
            }
        }
        if (fault != null) {
            throw ErrorMapper.undecodable(page.response, verb, resource, fault, null);
        }
        return new CheckedPage<>(page.names, next == null ? null : trail.onwards(next, nothing));
    }
}
