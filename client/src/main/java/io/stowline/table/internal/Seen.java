package io.stowline.table.internal;

import io.stowline.transport.internal.Answer;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An entity as a look at it found it.
 *
 * @param properties what stands in it
 * @param etag its ETag
 * @param written when it was written last, by the service's clock
 * @param date the service's clock when it answered
 */
record Seen(
        Properties properties,
        String etag,
        @Nullable Instant written,
        @Nullable Instant date) {

    /** Reads an answer to a point read. */
    static Seen of(Answer answer) throws IOException {
        Row<Properties> row = read(answer.body());
        return new Seen(row.value(), TableClient.etag(answer), row.timestamp(), answer.date());
    }

    /** What an operation sends. */
    static Properties sent(EncodedOperation operation) throws IOException {
        return read(operation.body()).value();
    }

    private static Row<Properties> read(byte[] json) throws IOException {
        return new Reader().read(new JsonCursor(json));
    }

    private static final class Reader extends PropertiesReader<Properties> {
        @Override
        protected Properties build(Properties found, @Nullable Instant rowTimestamp) {
            return found;
        }
    }
}
