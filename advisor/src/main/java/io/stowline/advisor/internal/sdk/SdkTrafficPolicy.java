package io.stowline.advisor.internal.sdk;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import io.stowline.observe.QueryPageEvent;
import io.stowline.observe.StowlineListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * A policy that reports each attempt of an Azure SDK client to a listener. It changes no request and fails none. Bodies that are read
 * only once pass unread.
 */
public final class SdkTrafficPolicy implements HttpPipelinePolicy {

    /** Gets classes of errors only: texts may have parts of a body or an address. */
    static final Logger LOG = LoggerFactory.getLogger(SdkTrafficPolicy.class);

    private static final byte[] NO_BYTES = {};

    private final StowlineListener listener;

    /**
     * Makes a policy.
     *
     * @param listener receives the ends of attempts and the pages of queries
     */
    public SdkTrafficPolicy(StowlineListener listener) {
        this.listener = listener;
    }

    /** Returns its place: each attempt passes it. */
    @Override
    public HttpPipelinePosition getPipelinePosition() {
        return HttpPipelinePosition.PER_RETRY;
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        Mono<HttpResponse> sent = next.process();
        return Mono.defer(() -> {
            SdkAttempt attempt = begin(context);
            return attempt == null
                    ? sent
                    : sent.doOnError(error -> end(attempt, error)).flatMap(response -> end(attempt, response));
        });
    }

    @Override
    public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
        SdkAttempt attempt = begin(context);
        if (attempt == null) {
            return next.processSync();
        }
        HttpResponse response;
        try {
            response = next.processSync();
        } catch (RuntimeException e) {
            end(attempt, e);
            throw e;
        }
        if (!readsBody(attempt, response)) {
            end(attempt, response, null);
            return response;
        }
        HttpResponse buffered = response.buffer();
        try {
            end(attempt, buffered, buffered.getBodyAsBinaryData().toBytes());
        } catch (RuntimeException e) {
            end(attempt, e); // the SDK meets the same error when it reads the body
        }
        return buffered;
    }

    private Mono<HttpResponse> end(SdkAttempt attempt, HttpResponse response) {
        if (!readsBody(attempt, response)) {
            end(attempt, response, null);
            return Mono.just(response);
        }
        HttpResponse buffered = response.buffer();
        return buffered.getBodyAsByteArray()
                .defaultIfEmpty(NO_BYTES)
                .doOnNext(body -> end(attempt, buffered, body))
                .onErrorResume(error -> {
                    end(attempt, error); // the SDK meets the same error when it reads the body
                    return Mono.just(NO_BYTES);
                })
                .thenReturn(buffered);
    }

    private static @Nullable SdkAttempt begin(HttpPipelineCallContext context) {
        try {
            return SdkAttempt.begin(context);
        } catch (RuntimeException e) {
            LOG.debug(
                    "a request of an Azure SDK client is not judged: {}",
                    e.getClass().getName());
            return null;
        }
    }

    private static boolean readsBody(SdkAttempt attempt, HttpResponse response) {
        try {
            return attempt.readsBody(response);
        } catch (RuntimeException e) {
            LOG.debug(
                    "a response to an Azure SDK client is not read: {}",
                    e.getClass().getName());
            return false;
        }
    }

    private void end(SdkAttempt attempt, HttpResponse response, byte @Nullable [] body) {
        report(attempt, () -> attempt.end(response, body));
    }

    private void end(SdkAttempt attempt, Throwable error) {
        report(attempt, () -> attempt.end(error));
    }

    private void report(SdkAttempt attempt, Runnable end) {
        try {
            end.run();
            listener.onAttemptEnd(attempt);
            QueryPageEvent page = attempt.page();
            if (page != null) {
                listener.onQueryPage(page);
            }
        } catch (RuntimeException e) {
            LOG.debug(
                    "an attempt of an Azure SDK client is not judged: {}",
                    e.getClass().getName());
        }
    }
}
