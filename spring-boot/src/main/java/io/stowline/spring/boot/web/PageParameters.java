package io.stowline.spring.boot.web;

import io.stowline.table.IndexLookup;
import io.stowline.table.IndexedTable;
import io.stowline.table.InvalidPageTokenException;
import io.stowline.table.Query;
import io.stowline.table.StoredEntity;
import java.net.URI;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;

/**
 * The parameters of a request for one page of a list: {@code ?page=} with the token of the page before, and {@code ?size=}. A handler method takes it as an
 * argument, without an annotation.
 *
 * <pre>{@code
 * @RestController
 * class RunnerController {
 *     Table<Runner> runners;
 *
 *     @GetMapping("/{race}")
 *     ResponseEntity<PageResponse<Runner>> list(@PathVariable String race, PageParameters page) {
 *         return page.response(page.of(runners.query().partition(race)));
 *     }
 * }
 * }</pre>
 *
 * <p>The token is opaque, and belongs to one list: that of another query is a problem 400, as is a size out of range. The properties {@code
 * stowline.web.page.*} set names, default and limit. Immutable and thread-safe.
 */
public final class PageParameters {

    private final PageAddress address;
    private final @Nullable String token;
    private final int size;

    PageParameters(PageAddress address, @Nullable String token, int size) {
        this.address = address;
        this.token = token;
        this.size = size;
    }

    /**
     * Returns the token of the page before, for a list that is not a query of this class's methods.
     *
     * @return the token as the client sent it; empty for the first page
     */
    public Optional<String> token() {
        return Optional.ofNullable(token);
    }

    /**
     * Returns how many results the page has at the most.
     *
     * @return the size of the request or the default one
     */
    public int size() {
        return size;
    }

    /**
     * Reads the page of a query.
     *
     * @param query the query, which is the same for all pages of the list
     * @param <T> what a result is
     * @return the page
     * @throws ProblemException if the token is not one of this list
     */
    public <T> Query.Page<T> of(Query<T> query) {
        Query<T> sized = query.pageSize(size);
        return checked(() -> token == null ? sized.page() : sized.page(token));
    }

    /**
     * Reads the page of a query, each result with its ETag.
     *
     * @param query the query, which is the same for all pages of the list
     * @param <T> what a result is
     * @return the page
     * @throws ProblemException if the token is not one of this list
     */
    public <T> Query.Page<StoredEntity<T>> stored(Query<T> query) {
        Query<T> sized = query.pageSize(size);
        return checked(() -> token == null ? sized.pageStored() : sized.pageStored(token));
    }

    /**
     * Reads the page of a lookup by an index.
     *
     * @param table the table
     * @param lookup the lookup, which is the same for all pages of the list
     * @param <T> the table's type
     * @return the page
     * @throws ProblemException if the token is not one of this list
     */
    public <T> Query.Page<T> of(IndexedTable<T> table, IndexLookup<T> lookup) {
        IndexLookup<T> sized = lookup.pageSize(size);
        return checked(() -> token == null ? table.page(sized) : table.page(sized, token));
    }

    private <P> P checked(Supplier<P> page) {
        try {
            return page.get();
        } catch (InvalidPageTokenException e) {
            ProblemException problem =
                    ProblemException.invalid(address.tokenName(), token, "the token of a page of this list");
            problem.initCause(e);
            throw problem;
        }
    }

    /**
     * Returns the response with a page: the address of the next one is in the body and in {@code Link}, {@code rel="next"}.
     *
     * @param page the page
     * @param <T> what a result is
     * @return the response
     * @throws IllegalArgumentException if the page has entities with their ETags, which no body has
     */
    public <T> ResponseEntity<PageResponse<T>> response(Query.Page<T> page) {
        if (page.values().stream().anyMatch(StoredEntity.class::isInstance)) {
            throw new IllegalArgumentException("a StoredEntity has no form in a body: turn each into a value that has"
                    + " what clients need, or read the page by of(..)");
        }
        Optional<URI> next = next(page);
        ResponseEntity.BodyBuilder response = ResponseEntity.ok();
        next.ifPresent(uri -> response.header(HttpHeaders.LINK, "<" + uri + ">; rel=\"next\""));
        return response.body(new PageResponse<>(page.values(), next.orElse(null)));
    }

    /**
     * Returns the address of the page after another one, for a response of another form.
     *
     * @param page the page
     * @return the path and query of this request with the token of the next page; empty at the end
     */
    public Optional<URI> next(Query.Page<?> page) {
        return page.nextToken().map(address::with);
    }
}
