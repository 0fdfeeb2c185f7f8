package io.stowline.table.internal.request;

import com.azure.core.http.HttpHeaderName;
import io.stowline.table.internal.request.QuerySpec.QueryString;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.pipeline.ErrorMapper;
import io.stowline.transport.internal.request.PageTrail;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * An undecoded page of a query, which the reader of the rows decodes.
 *
 * @param response the service's response
 * @param next the beginning of the next page, or {@code null} at the end
 * @param counted receives the number of its rows, once they are decoded
 */
public record QueryPage(StorageResponse response, @Nullable Continuation next, IntConsumer counted) {

    private static final String EMPTY_END = "[]}";

    /**
     * Makes a page whose rows are not counted.
     *
     * @param response the service's response
     * @param next the beginning of the next page, or {@code null} at the end
     */
    public QueryPage(StorageResponse response, @Nullable Continuation next) {
        this(response, next, rows -> {});
    }

    /** Returns whether a page has no rows, by the end of its JSON: the rows are decoded later, by their reader. */
    public static boolean isEmpty(StorageResponse response) {
        byte[] json = response.body();
        int at = json.length - 1;
        for (int i = EMPTY_END.length() - 1; i >= 0; i--) {
            while (at >= 0 && json[at] <= ' ') {
                at--;
            }
            if (at < 0 || json[at--] != EMPTY_END.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Counts the rows in the JSON of a page or of one entity without decoding them: objects, of which no row has any. */
    static int rows(byte[] json) {
        int objects = 0;
        boolean listed = false;
        boolean text = false;
        for (int i = 0; i < json.length; i++) {
            byte b = json[i];
            if (b == '"') {
                text = !text;
            } else if (text) {
                i += b == '\\' ? 1 : 0;
            } else if (b == '{') {
                objects++;
            } else if (b == '[') {
                listed = true;
            }
        }
        return listed ? objects - 1 : objects;
    }

    /** Returns whether the page has no rows. */
    public boolean isEmpty() {
        return isEmpty(response);
    }

    /** Pages for one taker, who requests one after the other. */
    public interface PageSource {

        /**
         * Returns the next page.
         *
         * @return the page; empty after the last one or after {@link #cancel}
         */
        Mono<QueryPage> next();

        /** Ends it: what is in flight is cancelled and nothing more is sent. May come from anywhere. */
        void cancel();
    }

    /**
     * The continuation of a query: opaque texts of the service that are sent back unchanged. A present and empty one is
     * a token too; only an absent one means the end (the service's page "Query timeout and pagination").
     *
     * @param partitionKey the first header, where it was sent
     * @param rowKey the second header, where it was sent
     * @param tableName the header of a list of tables, where it was sent
     */
    public record Continuation(
            @Nullable String partitionKey,
            @Nullable String rowKey,
            @Nullable String tableName) {

        private static final HttpHeaderName PARTITION_KEY =
                HttpHeaderName.fromString("x-ms-continuation-NextPartitionKey");
        private static final HttpHeaderName ROW_KEY = HttpHeaderName.fromString("x-ms-continuation-NextRowKey");
        private static final HttpHeaderName TABLE_NAME = HttpHeaderName.fromString("x-ms-continuation-NextTableName");

        static boolean isIn(StorageResponse response) {
            return response.headers().has(PARTITION_KEY) || response.headers().has(TABLE_NAME);
        }

        public static @Nullable Continuation of(StorageResponse response) {
            String partitionKey = response.header(PARTITION_KEY);
            String tableName = response.header(TABLE_NAME);
            return partitionKey == null && tableName == null
                    ? null
                    : new Continuation(partitionKey, response.header(ROW_KEY), tableName);
        }

        /**
         * Throws if a page has a continuation with which its list would never end. Such a page is not requested once more: a service that goes
         * in circles may give another continuation to each request.
         *
         * @param nothing whether the page has no result
         */
        public static void refuseEndless(
                PageTrail<Continuation> trail,
                StorageResponse response,
                boolean nothing,
                String operation,
                String resource) {
            String endless = trail.against(of(response), nothing);
            if (endless != null) {
                throw ErrorMapper.undecodable(response, operation, resource, endless, null);
            }
        }

        public void addTo(QueryString query) {
            query.add("NextPartitionKey", partitionKey);
            query.add("NextRowKey", rowKey);
            query.add("NextTableName", tableName);
        }
    }
}
