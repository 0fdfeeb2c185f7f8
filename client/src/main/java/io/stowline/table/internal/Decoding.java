package io.stowline.table.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.json.JsonToken;
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
        try (JsonReader json = JsonProviders.createReader(answer.body())) {
            expect(json.nextToken(), JsonToken.START_OBJECT);
            Row<T> row = codec.reader().read(json).from(answer.origin());
            String etag = answer.header(HttpHeaderName.ETAG);
            return etag == null ? row : new Row<>(row.value(), etag, row.timestamp(), row.origin());
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
        try (JsonReader json = JsonProviders.createReader(page.answer().body())) {
            List<Row<T>> rows = new ArrayList<>();
            expect(json.nextToken(), JsonToken.START_OBJECT);
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.getFieldName();
                JsonToken token = json.nextToken();
                if (!name.equals("value") || token != JsonToken.START_ARRAY) {
                    json.skipChildren();
                    continue;
                }
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    expect(json.currentToken(), JsonToken.START_OBJECT);
                    rows.add(reader.read(json).from(page.answer().origin()));
                }
            }
            expect(json.currentToken(), JsonToken.END_OBJECT);
            return rows;
        } catch (IOException e) {
            throw unreadable("query", page.answer(), e);
        }
    }

    private static void expect(JsonToken found, JsonToken wanted) throws IOException {
        if (found != wanted) {
            throw new IOException("the answer has " + found + " where " + wanted + " belongs");
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
