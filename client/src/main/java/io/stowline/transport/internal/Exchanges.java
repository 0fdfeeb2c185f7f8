package io.stowline.transport.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpResponse;
import io.stowline.error.Failure;
import io.stowline.error.ProtocolException;
import io.stowline.retry.AttemptLog;
import io.stowline.retry.Ended;
import io.stowline.transport.ReadOrigin;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What became of the requests of one SDK call. It lies in the Reactor context of the call, next to its {@link Operation}. Serves one
 * subscription; thread-safe.
 */
final class Exchanges {

    static final String KEY = "stowline-exchanges";

    private static final HttpHeaderName REQUEST_ID = HttpHeaderName.fromString("x-ms-request-id");

    private final AtomicReference<@Nullable Doubt> doubt = new AtomicReference<>();
    private final Consumer<ReadOrigin> origins;
    private volatile @Nullable Answered answered;

    /** Tells where each successful answer came from, before anybody reads it. */
    Exchanges(Consumer<ReadOrigin> origins) {
        this.origins = origins;
    }

    /** The last request that was answered with a success. */
    private record Answered(Call<?> call, HttpResponse response, AttemptLog log, Doubt unread) {}

    /** Adds a request that has ended, if anybody wants to know. */
    static void tell(HttpPipelineCallContext context, Call<?> call, Ended<HttpResponse> ended, Doubt more) {
        context.getData(KEY).ifPresent(asked -> ((Exchanges) asked).add(call, ended, more));
    }

    private void add(Call<?> call, Ended<HttpResponse> ended, Doubt more) {
        doubt.updateAndGet(known -> known == null ? more : known.and(more));
        HttpResponse response = ended.value();
        if (ended.succeeded()) {
            origins.accept(call.origin());
        }
        answered = ended.succeeded() && response != null
                ? new Answered(
                        call, response, ended.log(), call.unread(more.timer()).tolerating(more.tolerance()))
                : null;
    }

    /** Whether a request of the call has ended. */
    boolean ended() {
        return doubt.get() != null;
    }

    /** What is not known of the call, once a request of it has ended. */
    Doubt doubt() {
        return Objects.requireNonNull(doubt.get(), "no request was made");
    }

    private int unanswered() {
        Doubt known = doubt.get();
        return known == null ? 0 : known.unanswered();
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
        if (operation.effect() != Effect.READ) {
            doubt.set(last.unread());
        }
        ProtocolException unreadable = new ProtocolException(
                new Failure(
                        operation.name(),
                        operation.resource(),
                        last.response().getStatusCode(),
                        null,
                        "the answer is not what was asked for ("
                                + error.getClass().getName() + ")",
                        last.log().attempts().size(),
                        unanswered(),
                        last.log().elapsed(),
                        null,
                        last.call().clientRequestId(),
                        last.response().getHeaderValue(REQUEST_ID),
                        "read after the exchange had ended"),
                null);
        return unreadable.failure().unanswered() > 0
                ? Failures.unknown(unreadable, "nothing was read back")
                : unreadable;
    }
}
