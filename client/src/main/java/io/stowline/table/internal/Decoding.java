package io.stowline.table.internal;

import com.azure.core.http.HttpHeaderName;
import io.stowline.error.Failure;
import io.stowline.error.ProtocolException;
import io.stowline.table.UnreadableEntityException;
import io.stowline.transport.internal.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes rows of an answer's JSON, on the thread that wants them: records are the user's code. */
public final class Decoding {

    private static final HttpHeaderName CLIENT_REQUEST_ID = HttpHeaderName.fromString("x-ms-client-request-id");
    private static final HttpHeaderName REQUEST_ID = HttpHeaderName.fromString("x-ms-request-id");

    private Decoding() {}

    /**
     * The answer to a point read.
     *
     * @param answer the answer
     * @param codec what makes the row
     * @param <T> the type of its value
     * @return the row, with the ETag of the answer's header
     * @throws ProtocolException if the answer is not a row in JSON
     */
    public static <T> Row<T> row(Answer answer, EntityCodec<T> codec) {
        return row(answer, json -> codec.reader().read(json, answer.header(HttpHeaderName.ETAG)));
    }

    /**
     * The answer to a point read of a table, for its user.
     *
     * @param table the table's name, for errors
     * @param answer the answer
     * @param codec what makes the row
     * @param <T> the type of its value
     * @return the row, with the ETag of the answer's header
     * @throws ProtocolException if the answer is not a row in JSON
     * @throws UnreadableEntityException if the row is not what the codec reads
     */
    public static <T> Row<T> row(String table, Answer answer, EntityCodec<T> codec) {
        String etag = answer.header(HttpHeaderName.ETAG);
        return row(answer, json -> named(table, json, at -> codec.reader().read(at, etag)));
    }

    private static <T> Row<T> row(Answer answer, Next<Row<T>> next) {
        try {
            JsonCursor json = new JsonCursor(answer.body());
            Row<T> row = Objects.requireNonNull(next.read(json), "the row");
            json.end();
            return row.from(answer.origin());
        } catch (IOException e) {
            throw unreadable("find", answer, e);
        }
    }

    /**
     * Looks whether the answer to a point read is an object in JSON at all, before it is kept for others. What makes a row of it is the
     * user's code and comes later.
     *
     * @param answer the answer
     * @return the answer
     * @throws ProtocolException if it is something else, such as a gateway's page
     */
    static Answer checked(Answer answer) {
        try {
            JsonCursor json = new JsonCursor(answer.body());
            for (boolean more = json.enter('{', '}'); more; more = json.more('}')) {
                json.name();
                json.skip();
            }
            json.end();
            return answer;
        } catch (IOException e) {
            throw unreadable("find", answer, e);
        }
    }

    /**
     * The rows of a page.
     *
     * @param page the page
     * @param reader what makes the rows
     * @param <T> the type of their values
     * @return the rows in their order
     * @throws ProtocolException if the answer is not a list of rows in JSON
     */
    public static <T> List<Row<T>> rows(Page page, RowReader<T> reader) {
        return all(page, json -> reader.read(json).from(page.answer().origin()));
    }

    /**
     * The values of a page's rows.
     *
     * @param page the page
     * @param reader what makes the rows
     * @param <T> the type of their values
     * @return the values in their order
     * @throws ProtocolException if the answer is not a list of rows in JSON
     */
    public static <T> List<T> values(Page page, RowReader<T> reader) {
        return all(page, reader::value);
    }

    /**
     * The rows of a page of a table, for its user.
     *
     * @param table the table's name, for errors
     * @param page the page
     * @param codec what makes the rows
     * @param skipped takes rows that are not what the codec reads, or {@code null} to throw them
     * @param <T> the type of their values
     * @return the rows in their order
     * @throws ProtocolException if the answer is not a list of rows in JSON
     * @throws UnreadableEntityException if a row is not what the codec reads
     */
    public static <T> List<Row<T>> rows(
            String table,
            Page page,
            EntityCodec<T> codec,
            @Nullable Consumer<? super UnreadableEntityException> skipped) {
        return named(table, page, codec, skipped, (reader, json) -> reader.read(json)
                .from(page.answer().origin()));
    }

    /**
     * The values of a page's rows, for the table's user.
     *
     * @param table the table's name, for errors
     * @param page the page
     * @param codec what makes the rows
     * @param skipped takes rows that are not what the codec reads, or {@code null} to throw them
     * @param <T> the type of their values
     * @return the values in their order
     * @throws ProtocolException if the answer is not a list of rows in JSON
     * @throws UnreadableEntityException if a row is not what the codec reads
     */
    public static <T> List<T> values(
            String table,
            Page page,
            EntityCodec<T> codec,
            @Nullable Consumer<? super UnreadableEntityException> skipped) {
        return named(table, page, codec, skipped, RowReader::value);
    }

    /** A reader that has failed in the middle of a row is not used for the next one. */
    private static <T, R> List<R> named(
            String table,
            Page page,
            EntityCodec<T> codec,
            @Nullable Consumer<? super UnreadableEntityException> skipped,
            ByReader<T, R> next) {
        AtomicReference<RowReader<T>> reader = new AtomicReference<>(codec.reader());
        return all(page, json -> {
            try {
                return named(table, json, at -> next.read(Objects.requireNonNull(reader.get()), at));
            } catch (UnreadableEntityException e) {
                if (skipped == null) {
                    throw e;
                }
                reader.set(codec.reader());
                skipped.accept(e);
                return null;
            }
        });
    }

    /** Reads the row that comes next; what is wrong with its content says which row it is. */
    private static <R> @Nullable R named(String table, JsonCursor json, Next<R> next) throws IOException {
        int start = json.at();
        try {
            return next.read(json);
        } catch (RuntimeException e) {
            json.back(start);
            String partitionKey = "";
            String rowKey = "";
            for (boolean more = json.enter('{', '}'); more; more = json.more('}')) {
                String name = json.name();
                String value = json.scalar();
                partitionKey = name.equals("PartitionKey") && value != null ? value : partitionKey;
                rowKey = name.equals("RowKey") && value != null ? value : rowKey;
            }
            throw new UnreadableEntityException(table, partitionKey, rowKey, e);
        }
    }

    /** Reads the row that comes next. */
    @FunctionalInterface
    private interface Next<R> {
        @Nullable
        R read(JsonCursor json) throws IOException;
    }

    /** Reads the row that comes next by this reader. */
    @FunctionalInterface
    private interface ByReader<T, R> {
        R read(RowReader<T> reader, JsonCursor json) throws IOException;
    }

    private static <R> List<R> all(Page page, Next<R> next) {
        List<R> rows = new ArrayList<>();
        JsonCursor json = new JsonCursor(page.answer().body());
        try {
            for (boolean more = json.enter('{', '}'); more; more = json.more('}')) {
                if (json.name().equals("value") && json.kind() == JsonCursor.Kind.ARRAY) {
                    for (boolean row = json.enter('[', ']'); row; row = json.more(']')) {
                        R read = next.read(json);
                        if (read != null) {
                            rows.add(read);
                        }
                    }
                } else {
                    json.skip();
                }
            }
            json.end();
            page.counted().accept(rows.size());
            return rows;
        } catch (IOException e) {
            throw unreadable("query", page.answer(), e);
        }
    }

    private static ProtocolException unreadable(String operation, Answer answer, IOException cause) {
        String clientRequestId = answer.header(CLIENT_REQUEST_ID);
        Failure failure = new Failure(
                operation,
                "an answer of " + answer.body().length + " bytes",
                answer.status(),
                null,
                "the answer is not the JSON that was asked for: " + cause.getMessage(),
                1,
                0,
                Duration.ZERO,
                null,
                clientRequestId == null ? "unknown" : clientRequestId,
                answer.header(REQUEST_ID),
                "read after the exchange had ended");
        return new ProtocolException(failure, cause);
    }
}
