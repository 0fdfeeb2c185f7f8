package io.stowline.table.internal;

import com.azure.core.http.HttpHeaderName;
import io.stowline.error.Failure;
import io.stowline.error.ProtocolException;
import io.stowline.transport.internal.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

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
        try {
            String etag = answer.header(HttpHeaderName.ETAG);
            return codec.reader().read(new JsonCursor(answer.body()), etag).from(answer.origin());
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

    /** Reads the row that comes next. */
    @FunctionalInterface
    private interface Next<R> {
        R read(JsonCursor json) throws IOException;
    }

    private static <R> List<R> all(Page page, Next<R> next) {
        List<R> rows = new ArrayList<>();
        JsonCursor json = new JsonCursor(page.answer().body());
        try {
            for (boolean more = json.enter('{', '}'); more; more = json.more('}')) {
                if (json.name().equals("value") && json.kind() == JsonCursor.Kind.ARRAY) {
                    for (boolean row = json.enter('[', ']'); row; row = json.more(']')) {
                        rows.add(next.read(json));
                    }
                } else {
                    json.skip();
                }
            }
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
