package io.stowline.transport.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpResponse;
import io.stowline.error.Failure;
import io.stowline.error.ProtocolException;
import io.stowline.retry.AttemptLog;
import io.stowline.retry.Ended;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What became of the requests of one SDK call. It lies in the Reactor context of the call, next to its {@link Operation}. Serves one
 * subscription; thread-safe.
 */
final class Exchanges {

    static final String KEY = "stowline-exchanges";

    private static final HttpHeaderName REQUEST_ID = HttpHeaderName.fromString("x-ms-request-id");

    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile @Nullable Answered answered;

    /** The last request that was answered with a success. */
    private record Answered(Call<?> call, HttpResponse response, AttemptLog log) {}

    /** Adds a request that has ended, if anybody wants to know. */
    static void tell(HttpPipelineCallContext context, Call<?> call, Ended<HttpResponse> ended) {
        context.getData(KEY).ifPresent(asked -> ((Exchanges) asked).add(call, ended));
    }

    private void add(Call<?> call, Ended<HttpResponse> ended) {
        unanswered.addAndGet((int) ended.log().attempts().stream()
                .filter(AttemptLog.Entry::ambiguous)
                .count());
        HttpResponse response = ended.value();
        answered = ended.succeeded() && response != null ? new Answered(call, response, ended.log()) : null;
    }

    /** How many attempts may have been carried out although their answer was lost. */
    int unanswered() {
        return unanswered.get();
    }

    /**
     * What an error means that came to light above the exchange: after a success it is the answer that nobody could read. Its text and
     * causes are left out, for a parser quotes what it reads.
     */
    Throwable meaning(Throwable error) {
        Answered last = answered;
        if (last == null || error instanceof io.stowline.error.StorageException) {
            return error;
        }
        Operation operation = last.call().operation();
        return new ProtocolException(
                new Failure(
                        operation.name(),
                        operation.resource(),
                        last.response().getStatusCode(),
                        null,
                        "the answer is not what was asked for ("
                                + error.getClass().getName() + ")",
                        last.log().attempts().size(),
                        unanswered() + (operation.effect() == Effect.READ ? 0 : 1),
                        last.log().elapsed(),
                        null,
                        last.call().clientRequestId(),
                        last.response().getHeaderValue(REQUEST_ID),
                        "read after the exchange had ended"),
                null);
    }
}
