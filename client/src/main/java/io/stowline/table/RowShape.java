package io.stowline.table;

import io.stowline.caching.CachedRead;
import io.stowline.error.Failure;
import io.stowline.error.ProtocolException;
import io.stowline.table.internal.CachedFinds;
import io.stowline.table.internal.Decoding;
import io.stowline.table.internal.EntityCodec;
import io.stowline.table.internal.Row;
import io.stowline.transport.internal.Answer;
import java.time.Duration;
import java.util.Optional;

/** What a row becomes in the hands of the user. */
final class RowShape {

    private RowShape() {}

    static <T> CachedRead<Stored<T>> cached(String table, CachedFinds.Found found, EntityCodec<T> codec) {
        Answer answer = found.answer();
        Optional<Stored<T>> value =
                answer == null ? Optional.empty() : Optional.of(stored(Decoding.row(table, answer, codec)));
        return new CachedRead<>(value, found.outcome(), found.age());
    }

    static <T> Stored<T> stored(Row<T> row) {
        String etag = row.etag();
        if (etag == null || etag.isEmpty()) {
            throw new ProtocolException(
                    new Failure(
                            "read",
                            "a row",
                            200,
                            null,
                            "the service sent a row without its ETag",
                            1,
                            0,
                            Duration.ZERO,
                            null,
                            "unknown",
                            null,
                            "read after the exchange had ended"),
                    null);
        }
        return Stored.read(row.value(), etag, row.timestamp()).from(row.origin());
    }
}
