package io.stowline.table.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import io.stowline.transport.internal.Answer;
import io.stowline.transport.internal.AnswerReader;
import io.stowline.transport.internal.Documented;
import io.stowline.transport.internal.Reading;
import io.stowline.transport.internal.ServiceError;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the answer to an entity group transaction: 202 with one part for each operation, in their order, or with a single part
 * that tells which operation was refused (the service's page "Performing entity group transactions"). Tolerant of how the parts
 * are dressed, strict about how many there are.
 */
final class BatchAnswer implements AnswerReader<List<String>> {

    private static final HttpHeaderName REQUEST_ID = HttpHeaderName.fromString("x-ms-request-id");

    private static final Documented WHOLE = Documented.status(202);
    private static final Documented PART = Documented.status(201, 204);

    private final int expected;
    private final Clock clock;

    BatchAnswer(int expected, Clock clock) {
        this.expected = expected;
        this.clock = clock;
    }

    /** The ETags of the operations in their order; a deletion has the empty string. */
    @Override
    public Reading<List<String>> read(Answer answer) {
        String wrong = WHOLE.against(answer.status());
        return wrong == null ? parts(answer) : new Reading.Unreadable<>(wrong);
    }

    private Reading<List<String>> parts(Answer answer) {
        List<String> etags = new ArrayList<>(expected);
        PartScanner parts = new PartScanner(answer.body());
        while (parts.next()) {
            if (parts.status() >= 400) {
                return new Reading.Refused<>(refusal(parts, answer));
            }
            String wrong = PART.against(parts.status());
            if (wrong != null) {
                return new Reading.Unreadable<>("a part of the batch answer: " + wrong);
            }
            if (!parts.whole()) {
                return new Reading.Unreadable<>("the batch answer ends within part " + (etags.size() + 1));
            }
            etags.add(parts.header("etag"));
        }
        return etags.size() == expected
                ? new Reading.Value<>(etags)
                : new Reading.Unreadable<>(
                        "the batch answer has " + etags.size() + " parts for " + expected + " operations");
    }

    private ServiceError refusal(PartScanner part, Answer answer) {
        HttpHeaders headers = new HttpHeaders();
        String requestId = answer.header(REQUEST_ID);
        if (requestId != null) {
            headers.set(REQUEST_ID, requestId);
        }
        for (String name : List.of("Retry-After", "retry-after-ms", "x-ms-retry-after-ms", "x-ms-error-code")) {
            String value = part.header(name);
            if (!value.isEmpty()) {
                headers.set(HttpHeaderName.fromString(name), value);
            }
        }
        return ServiceError.of(part.status(), headers, part.body(), clock.instant());
    }
}
