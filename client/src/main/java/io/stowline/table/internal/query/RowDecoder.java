package io.stowline.table.internal.query;

import com.azure.core.http.HttpHeaderName;
import io.stowline.error.ProtocolException;
import io.stowline.table.UnreadableEntityException;
import io.stowline.table.internal.codec.EntityCodec;
import io.stowline.table.internal.codec.OutboxKey;
import io.stowline.table.internal.codec.RowReader;
import io.stowline.table.internal.codec.RowReader.DecodedRow;
import io.stowline.table.internal.codec.RowReader.MissingKeyException;
import io.stowline.table.internal.codec.RowReader.WaitingMessageException;
import io.stowline.table.internal.json.JsonCursor;
import io.stowline.table.internal.request.QueryPage;
import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.pipeline.ErrorMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The decoding of a response's JSON into rows, on the caller's thread: records are the user's code. */
public final class RowDecoder {

    private static final String UNNAMED = "a table";

    private RowDecoder() {}

    /**
     * Returns the row of the response to a point read.
     *
     * @param codec what makes the row
     * @return the row, with the ETag of the response's header
     * @throws ProtocolException if the response is not a row in JSON
     */
    public static <T> DecodedRow<T> row(StorageResponse response, EntityCodec<T> codec) {
        return row(UNNAMED, response, json -> codec.reader().read(json, response.header(HttpHeaderName.ETAG)));
    }

    /**
     * Returns the row of the response to a point read of a table, for its user.
     *
     * @param table the table's name, for errors
     * @param codec what makes the row
     * @return the row, with the ETag of the response's header
     * @throws ProtocolException if the response is not a row in JSON
     * @throws UnreadableEntityException if the row is not what the codec reads
     */
    public static <T> DecodedRow<T> row(String table, StorageResponse response, EntityCodec<T> codec) {
        String etag = response.header(HttpHeaderName.ETAG);
        return row(
                table, response, json -> named(table, json, at -> codec.reader().read(at, etag)));
    }

    /**
     * Returns the value that an encoded operation would write.
     *
     * @param table the table's name, for errors
     * @param content the JSON of the operation
     * @param codec the codec that makes the row
     * @throws UnreadableEntityException if the row is not what the codec reads
     */
    public static <T> T encoded(String table, byte[] content, EntityCodec<T> codec) {
        try {
            DecodedRow<T> row =
                    named(table, new JsonCursor(content), at -> codec.reader().read(at, null));
            return Objects.requireNonNull(row, "the row").value();
        } catch (IOException e) {
            throw new UncheckedIOException("what was encoded for " + table + " is no row", e);
        }
    }

    private static <T> DecodedRow<T> row(String table, StorageResponse response, Next<DecodedRow<T>> next) {
        try {
            JsonCursor json = new JsonCursor(response.body());
            DecodedRow<T> row = Objects.requireNonNull(next.read(json), "the row");
            json.end();
            return row.from(response.origin());
        } catch (IOException e) {
            throw unreadable("find", table, response, e);
        }
    }

    /**
     * Returns the rows of a page.
     *
     * @param reader what makes the rows
     * @return the rows in their order
     * @throws ProtocolException if the response is not a list of rows in JSON
     */
    public static <T> List<DecodedRow<T>> rows(QueryPage page, RowReader<T> reader) {
        return all(UNNAMED, page, json -> reader.read(json).from(page.response().origin()));
    }

    /**
     * Returns the values of a page's rows.
     *
     * @param reader what makes the rows
     * @return the values in their order
     * @throws ProtocolException if the response is not a list of rows in JSON
     */
    public static <T> List<T> values(QueryPage page, RowReader<T> reader) {
        return all(UNNAMED, page, reader::value);
    }

    /**
     * Returns the rows of a page of a table, for its user.
     *
     * @param table the table's name, for errors
     * @param codec what makes the rows
     * @param skipped takes rows that are not what the codec reads, or {@code null} to throw them
     * @return the rows in their order
     * @throws ProtocolException if the response is not a list of rows in JSON, or one of them lacks a key that was requested
     * @throws UnreadableEntityException if a row is not what the codec reads
     */
    public static <T> List<DecodedRow<T>> rows(
            String table,
            QueryPage page,
            EntityCodec<T> codec,
            @Nullable Consumer<? super UnreadableEntityException> skipped) {
        return named(table, page, codec, skipped, (reader, json) -> reader.read(json)
                .from(page.response().origin()));
    }

    /**
     * Returns the values of a page's rows, for the table's user.
     *
     * @param table the table's name, for errors
     * @param codec what makes the rows
     * @param skipped takes rows that are not what the codec reads, or {@code null} to throw them
     * @return the values in their order
     * @throws ProtocolException if the response is not a list of rows in JSON, or one of them lacks a key that was requested
     * @throws UnreadableEntityException if a row is not what the codec reads
     */
    public static <T> List<T> values(
            String table,
            QueryPage page,
            EntityCodec<T> codec,
            @Nullable Consumer<? super UnreadableEntityException> skipped) {
        return named(table, page, codec, skipped, RowReader::value);
    }

    /**
     * Returns the rows of a page, each with the value that another codec makes of it.
     *
     * @return the rows in their order
     * @throws ProtocolException if the response is not a list of rows in JSON
     */
    public static <R, T> List<RowWithValue<R, T>> rowsWithValues(
            String table, QueryPage page, EntityCodec<R> rows, EntityCodec<T> codec, Predicate<R> wanted) {
        Next<R> entities = entities(table, rows::reader, RowReader::value);
        return all(table, page, json -> {
            int start = json.at();
            R row = entities.read(json);
            if (row == null) {
                return null;
            }
            int end = json.at();
            if (!wanted.test(row)) {
                return new RowWithValue<>(row, null);
            }
            json.back(start);
            T value = readable(codec, json);
            json.back(end);
            return new RowWithValue<>(row, value);
        });
    }

    private static <T> @Nullable T readable(EntityCodec<T> codec, JsonCursor json) {
        try {
            return codec.reader().value(json);
        } catch (IOException | RuntimeException unreadable) {
            return null;
        }
    }

    /**
     * A row with its value.
     *
     * @param row the row as it stands there
     * @param value what the codec makes of it; {@code null} if that is not wanted, or fails
     */
    public record RowWithValue<R, T>(R row, @Nullable T value) {}

    private static <T, R> List<R> named(
            String table,
            QueryPage page,
            EntityCodec<T> codec,
            @Nullable Consumer<? super UnreadableEntityException> skipped,
            ByReader<T, R> next) {
        Next<R> entities = entities(table, () -> codec.reader().requested(codec.select()), next);
        return all(table, page, json -> {
            try {
                return entities.read(json);
            } catch (UnreadableEntityException e) {
                if (skipped == null) {
                    throw e;
                }
                skipped.accept(e);
                return null;
            }
        });
    }

    /**
     * Reads entities, and passes over the messages of an outbox, which are none. A reader that has ended in the middle of a row is not
     * used for the next one.
     */
    private static <T, R> Next<R> entities(String table, Supplier<RowReader<T>> readers, ByReader<T, R> next) {
        AtomicReference<RowReader<T>> reader =
                new AtomicReference<>(readers.get().withoutMessages());
        return json -> {
            UnreadableEntityException failure = null;
            try {
                R row = named(table, json, at -> next.read(Objects.requireNonNull(reader.get()), at));
                if (row != null) {
                    return row;
                }
            } catch (UnreadableEntityException e) {
                failure = e;
            }
            reader.set(readers.get().withoutMessages());
            if (failure != null && !OutboxKey.isOf(failure.rowKey())) {
                throw failure;
            }
            return null;
        };
    }

    /**
     * The error of a row's content names the row. So does that of a value that is no JSON, as long as the end of its
     * row can be found.
     */
    private static <R> @Nullable R named(String table, JsonCursor json, Next<R> next) throws IOException {
        int start = json.at();
        try {
            return next.read(json);
        } catch (MissingKeyException e) {
            throw e;
        } catch (WaitingMessageException e) {
            json.back(start);
            passOver(json, start);
            return null;
        } catch (IOException e) {
            throw unreadable(
                    table, json, start, e, row -> new UncheckedIOException(row.property() + ": " + e.getMessage(), e));
        } catch (RuntimeException e) {
            throw unreadable(table, json, start, new IOException("a row has no end", e), row -> e);
        }
    }

    /** Returns the error of the row that starts there, and passes over it; throws the other failure if its end cannot be found. */
    private static UnreadableEntityException unreadable(
            String table, JsonCursor json, int start, IOException endless, Function<RowName, RuntimeException> why)
            throws IOException {
        int fault = json.at();
        json.back(start);
        try {
            RowName name = passOver(json, fault);
            return new UnreadableEntityException(table, name.partitionKey(), name.rowKey(), why.apply(name));
        } catch (IOException noRow) {
            endless.addSuppressed(noRow);
            throw endless;
        }
    }

    /**
     * Passes over a row, also one with values that are no JSON, as long as its end can be found.
     *
     * @param fault where reading it has ended
     */
    private static RowName passOver(JsonCursor json, int fault) throws IOException {
        String partitionKey = "";
        String rowKey = "";
        String property = "a value";
        for (boolean more = json.enter('{', '}'); more; more = json.more('}')) {
            String name = json.name();
            property = json.at() <= fault ? "property " + name : property;
            String value = json.token();
            partitionKey = name.equals("PartitionKey") && value != null ? value : partitionKey;
            rowKey = name.equals("RowKey") && value != null ? value : rowKey;
        }
        return new RowName(partitionKey, rowKey, property);
    }

    /**
     * The keys of a row; empty where the row has none.
     *
     * @param property what reading it has ended at
     */
    private record RowName(String partitionKey, String rowKey, String property) {}

    /** A function that reads the row that comes next. */
    @FunctionalInterface
    private interface Next<R> {
        @Nullable
        R read(JsonCursor json) throws IOException;
    }

    /** A function that reads the row that comes next by this reader. */
    @FunctionalInterface
    private interface ByReader<T, R> {
        R read(RowReader<T> reader, JsonCursor json) throws IOException;
    }

    private static <R> List<R> all(String table, QueryPage page, Next<R> next) {
        boolean list = false;
        ArrayList<R> rows = new ArrayList<>();
        int returned = 0;
        JsonCursor json = new JsonCursor(page.response().body());
        try {
            for (boolean more = json.enter('{', '}'); more; more = json.more('}')) {
                String name = json.name();
                if (name.equals("odata.error")) {
                    throw new IOException("it has an error after rows, " + name);
                }
                if (name.equals("value") && json.kind() == JsonCursor.JsonShape.ARRAY) {
                    if (list) {
                        throw new IOException("it has two lists of rows");
                    }
                    list = true;
                    for (boolean row = json.enter('[', ']'); row; row = json.more(']')) {
                        returned++;
                        int start = json.at();
                        R read = next.read(json);
                        if (read != null) {
                            rows.add(read);
                        }
                        if (returned == 1) {
                            rows.ensureCapacity(Math.min(
                                    StorageLimits.QUERY_PAGE_MAX_ENTITIES,
                                    page.response().body().length / (json.at() - start)));
                        }
                    }
                } else {
                    json.skip();
                }
            }
            json.end();
            if (!list) {
                throw new IOException("it has no list of rows, the array 'value'");
            }
            page.counted().accept(returned);
            return rows;
        } catch (IOException e) {
            throw unreadable("query", table, page.response(), e);
        }
    }

    private static ProtocolException unreadable(
            String operation, String table, StorageResponse response, IOException cause) {
        String why = "the response is not the requested JSON: " + cause.getMessage();
        return ErrorMapper.undecodable(response, operation, table, why, cause);
    }
}
