package io.stowline.table.internal.request;

import io.stowline.table.internal.codec.EntityCodec.MetadataLevel;
import io.stowline.table.internal.json.ByteBuilder;
import io.stowline.table.internal.request.QueryPage.Continuation;
import io.stowline.transport.StorageLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The specification of a query. Every page repeats all of it, as the service demands.
 *
 * @param filter the condition in OData, or {@code null} for none
 * @param select the properties, or {@code null} for all
 * @param level the metadata of each row
 * @param pageSize the most rows of a page, or {@code null} for the service's 1,000
 * @param partition its only partition, or {@code null} if it has several
 * @param kind the part of the table that the service searches
 * @param filtering whether the service may scan entities that it does not return: its conditions are not those of one range of keys
 * @param shape the condition without its values, for a listener; {@code null} without one
 * @param mapped the number of properties that the type of the rows has; 0 for a type that takes any
 */
public record QuerySpec(
        @Nullable String filter,
        @Nullable List<String> select,
        MetadataLevel level,
        @Nullable Integer pageSize,
        @Nullable String partition,
        QueryClass kind,
        boolean filtering,
        @Nullable String shape,
        int mapped) {

    private static final int FULL_PAGE = StorageLimits.QUERY_PAGE_MAX_ENTITIES;

    /**
     * Returns the entities that the service is expected to scan for a page. The first page of a range in one partition may have any number of
     * rows, mostly few; a continuation shows that there are many.
     *
     * @param from the beginning of the page, or {@code null} for the first
     */
    int expected(@Nullable Continuation from) {
        if (kind == QueryClass.POINT) {
            return 1;
        }
        if (filtering) {
            return FULL_PAGE;
        }
        boolean whole = from != null || kind.compareTo(QueryClass.PARTITION) > 0;
        if (!whole) {
            return 1;
        }
        return pageSize == null ? FULL_PAGE : pageSize;
    }

    /**
     * Returns an estimate of the entities that the service has scanned for a page. It returns all entities of one range of keys; of others
     * it rejects a number that no response shows, which counts as the rest of a full page.
     *
     * @param rows the rows of the page
     */
    public int scanned(int rows) {
        if (kind == QueryClass.POINT) {
            return 1;
        }
        return Math.max(filtering ? FULL_PAGE : 1, rows);
    }

    String toQueryString(@Nullable Continuation from) {
        QueryString query = new QueryString()
                .add("$filter", filter)
                .add("$select", select == null ? null : String.join(",", select))
                .add("$top", pageSize == null ? null : pageSize.toString());
        if (from != null) {
            from.addTo(query);
        }
        return query.toString();
    }

    /** A builder that collects the query of a URL; every value is percent-encoded here and nowhere else. */
    public static final class QueryString {

        private final ByteBuilder out = new ByteBuilder();

        public QueryString add(String name, @Nullable String value) {
            if (value != null) {
                out.one(out.size() == 0 ? '?' : '&').ascii(name).one('=').url(value);
            }
            return this;
        }

        @Override
        public String toString() {
            return out.toString();
        }
    }
}
