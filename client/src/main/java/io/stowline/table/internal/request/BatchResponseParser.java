package io.stowline.table.internal.request;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.http.MultipartReader;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.request.DocumentedStatus;
import io.stowline.transport.internal.request.ResponseParser;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * A parser of the response to an entity group transaction: 202 with one part for each operation, in their order, or
 * with a single part that names the refused operation (the service's page "Performing entity group transactions").
 * Tolerant of the headers of the parts, strict about their number.
 */
public record BatchResponseParser(int expected, Clock clock) implements ResponseParser<List<String>> {

    private static final DocumentedStatus WHOLE = DocumentedStatus.status(202);
    private static final DocumentedStatus PART = DocumentedStatus.status(201, 204);

    /** Returns the ETags of the operations in their order; a deletion has the empty string. */
    @Override
    public ParseResult<List<String>> read(StorageResponse response) {
        String wrong = WHOLE.against(response.status());
        return wrong == null ? parts(response) : new ParseResult.Unreadable<>(wrong);
    }

    private ParseResult<List<String>> parts(StorageResponse response) {
        List<String> etags = new ArrayList<>(expected);
        MultipartReader parts = new MultipartReader(response.body());
        while (parts.next()) {
            if (parts.status() >= 400) {
                return new ParseResult.RefusedResponse<>(refusal(parts, response));
            }
            String wrong = PART.against(parts.status());
            if (wrong != null) {
                return new ParseResult.Unreadable<>("a part of the batch response: " + wrong);
            }
            if (!parts.isComplete()) {
                return new ParseResult.Unreadable<>("the batch response ends within part " + (etags.size() + 1));
            }
            etags.add(parts.etag());
        }
        return etags.size() == expected
                ? new ParseResult.Value<>(etags)
                : new ParseResult.Unreadable<>(
                        "the batch response has " + etags.size() + " parts for " + expected + " operations");
    }

    private ServiceError refusal(MultipartReader part, StorageResponse response) {
        HttpHeaders headers = new HttpHeaders();
        String requestId = response.header(StorageResponse.REQUEST_ID);
        if (requestId != null) {
            headers.set(StorageResponse.REQUEST_ID, requestId);
        }
        for (String name : List.of("Retry-After", "retry-after-ms", "x-ms-retry-after-ms", "x-ms-error-code")) {
            String value = part.header(name);
            if (!value.isEmpty()) {
                headers.set(HttpHeaderName.fromString(name), value);
            }
        }
        return ServiceError.ofPart(response, part.status(), headers, part.body(), clock.instant());
    }
}
