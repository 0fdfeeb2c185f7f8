package io.stowline.table.internal.codec;

import io.stowline.table.internal.json.JsonCursor;
import io.stowline.transport.ReadOrigin;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A reader of rows from JSON, which makes their values. For one thread. */
public interface RowReader<T> {

    /** Gives index rows the row keys of their entities. */
    RowReader<T> ofEntities();

    /** Ends at messages of an outbox by a {@link WaitingMessageException}. */
    RowReader<T> withoutMessages();

    /**
     * Refuses rows without the requested keys.
     *
     * @param select the requested properties, or {@code null} for all
     */
    RowReader<T> requested(@Nullable List<String> select);

    /** Reads the object that comes next. */
    DecodedRow<T> read(JsonCursor json) throws IOException;

    /** Reads the next object; the ETag of a response's header goes before the object's own. */
    DecodedRow<T> read(JsonCursor json, @Nullable String header) throws IOException;

    /** Reads the object that comes next, for one who wants the value only. */
    T value(JsonCursor json) throws IOException;

    /** The failure of a row that lacks a requested key: the response comes from a gateway, or belongs to another request. */
    final class MissingKeyException extends IOException {

        private static final long serialVersionUID = 1L;

        MissingKeyException(String key) {
            super("a row has no " + key);
        }
    }

    /** The end of a row that is a message of an outbox by its key. It has no stack trace, since a page may have many. */
    final class WaitingMessageException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        WaitingMessageException() {
            super("a row is a message of an outbox", null, false, false);
        }
    }

    /**
     * A row of a response.
     *
     * @param etag its ETag, where the response held it
     * @param timestamp the service's time stamp, where the request selects it
     * @param origin the place of the account that sent it
     */
    record DecodedRow<T>(
            T value, @Nullable String etag, @Nullable Instant timestamp, ReadOrigin origin) {

        /**
         * Makes a row of the primary.
         *
         * @param etag its ETag, where the response held it
         * @param timestamp the service's time stamp, where the request selects it
         */
        public DecodedRow(T value, @Nullable String etag, @Nullable Instant timestamp) {
            this(value, etag, timestamp, ReadOrigin.primary());
        }

        /** Returns the row with its place; mostly itself. */
        public DecodedRow<T> from(ReadOrigin place) {
            return place.secondary() ? new DecodedRow<>(value, etag, timestamp, place) : this;
        }
    }
}
