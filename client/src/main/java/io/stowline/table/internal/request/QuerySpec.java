package io.stowline.table.internal.request;

import io.stowline.table.internal.codec.EntityCodec.MetadataLevel;
import io.stowline.table.internal.json.ByteBuilder;
import io.stowline.table.internal.request.QueryPage.Continuation;
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
 */
public record QuerySpec(
        @Nullable String filter,
        @Nullable List<String> select,
        MetadataLevel level,
        @Nullable Integer pageSize,
        @Nullable String partition,
        QueryClass kind) {

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
