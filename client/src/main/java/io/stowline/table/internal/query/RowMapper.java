package io.stowline.table.internal.query;

import io.stowline.caching.CachedRead;
import io.stowline.error.ProtocolException;
import io.stowline.table.StoredEntity;
import io.stowline.table.internal.codec.EntityCodec;
import io.stowline.table.internal.codec.RowReader.DecodedRow;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.http.StorageResponse;
import java.time.Duration;
import java.util.Optional;

/** The mapping of a row to the user's result. */
public final class RowMapper {

    private RowMapper() {}

    public static <T> CachedRead<StoredEntity<T>> cached(
            String table, CachedReads.FoundEntity found, EntityCodec<T> codec) {
        StorageResponse response = found.response();
        Optional<StoredEntity<T>> value =
                response == null ? Optional.empty() : Optional.of(stored(RowDecoder.row(table, response, codec)));
        return new CachedRead<>(value, found.outcome(), found.age(), found.resource());
    }

    public static <T> StoredEntity<T> stored(DecodedRow<T> row) {
        String etag = row.etag();
        if (etag == null || etag.isEmpty()) {
            throw new ProtocolException(
                    FailureFacts.of("read", "a row")
                            .status(200, null)
                            .tried(1, 0, Duration.ZERO)
                            .ids("unknown", null)
                            .because("the service sent a row without its ETag", "read after the exchange had ended"),
                    null);
        }
        return StoredEntity.read(row.value(), etag, row.timestamp(), row.origin());
    }
}
