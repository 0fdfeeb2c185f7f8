package io.stowline.table.internal.write;

import io.stowline.table.internal.codec.DecodedRow;
import io.stowline.table.internal.codec.PropertiesReader;
import io.stowline.table.internal.codec.PropertiesReader.RowProperties;
import io.stowline.table.internal.json.JsonCursor;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.transport.internal.http.StorageResponse;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An entity as a look at it found it.
 *
 * @param properties what stands in it
 * @param written when it was written last, by the service's clock
 * @param date the service's clock when it answered
 */
record EntitySnapshot(
        RowProperties properties,
        String etag,
        @Nullable Instant written,
        @Nullable Instant date) {

    /** Reads an answer to a point read. */
    static EntitySnapshot of(StorageResponse answer) throws IOException {
        DecodedRow<RowProperties> row = read(answer.body());
        return new EntitySnapshot(row.value(), TableOperations.etag(answer), row.timestamp(), answer.date());
    }

    /** What an operation sends. */
    static RowProperties sent(EncodedOperation operation) throws IOException {
        return read(operation.body()).value();
    }

    private static DecodedRow<RowProperties> read(byte[] json) throws IOException {
        return new Reader().read(new JsonCursor(json));
    }

    private static final class Reader extends PropertiesReader<RowProperties> {
        @Override
        protected RowProperties build(RowProperties found, @Nullable Instant rowTimestamp) {
            return found;
        }
    }
}
