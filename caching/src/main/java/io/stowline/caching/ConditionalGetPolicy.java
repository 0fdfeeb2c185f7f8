package io.stowline.caching;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import io.stowline.caching.CacheableResponse.PassThroughException;
import io.stowline.caching.internal.engine.CacheEngine;
import io.stowline.caching.internal.engine.CacheRead;
import io.stowline.caching.internal.engine.CallerThread;
import io.stowline.caching.internal.load.CacheKey;
import io.stowline.caching.internal.load.Loader;
import io.stowline.caching.internal.load.Loader.Conditions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

/**
 * A pipeline policy that gives the Azure SDK's blob clients a {@link ResponseCache}: reads of blobs and of their properties become
 * conditional ones, and a 304 becomes the response that is kept.
 *
 * <pre>{@code
 * BlobClient config = new BlobClientBuilder()
 *         .connectionString(connectionString)
 *         .containerName("settings")
 *         .blobName("config.json")
 *         .addPolicy(new ConditionalGetPolicy(cache, Freshness.fresh(Duration.ofSeconds(30))))
 *         .buildClient();
 * }</pre>
 *
 * <p>GET and HEAD of one blob, whole or a range, get a status 200 or 206. The header {@code x-stowline-cache} of the response
 * names the way: {@code hit}, {@code revalidated}, {@code refreshed}, {@code stale}, {@code collapsed} or {@code miss}. A request that already
 * has conditions, a listing or a query bypasses the cache. Any other method invalidates what it names when it has ended, whatever its end.
 * A response of 400 and above is given as it is and not kept, apart from 404 for a freshness that remembers absence. A success or a 404
 * without the headers of the service is of a gateway or proxy: it is given as it is, and neither kept nor taken for absence.
 *
 * <p>It stands before the retry policy, once for a call, and so before the credential, which it does not see: give clients of different
 * credentials different policies. The policy does distinguish a shared access signature, an authorization or a key that a request already
 * carries.
 *
 * <p>HEAD is never conditional. The policy revalidates a part of a larger blob at each read, whatever the window: a download of several
 * ranges goes on under the version of its first one, which must be the present one. The whole of a blob, also one requested as a range, has
 * its window. Thread-safe.
 */
public final class ConditionalGetPolicy implements HttpPipelinePolicy {

    private final CacheEngine cache;
    private final Freshness freshness;
    private final String scope;

    /**
     * A policy whose responses are its own: no other policy of the same cache is given them, nor another process that has the folder later.
     *
     * @param cache keeps the responses
     * @param freshness how old they may be
     */
    public ConditionalGetPolicy(ResponseCache cache, Freshness freshness) {
        this(cache, freshness, UUID.randomUUID().toString());
    }

    /**
     * A policy that shares its responses with all policies of the same name, also in a later process on the same folder.
     *
     * @param cache keeps the responses
     * @param freshness how old they may be
     * @param scope a name for the credential of the client: clients that may not read the same must not have the same
     */
    public ConditionalGetPolicy(ResponseCache cache, Freshness freshness, String scope) {
        this.cache = CacheEngine.of(cache);
        this.freshness = freshness;
        this.scope = scope;
    }

    @Override
    public HttpPipelinePosition getPipelinePosition() {
        return HttpPipelinePosition.PER_CALL;
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        HttpRequest request = context.getHttpRequest();
        CacheKey key = RequestKey.of(request, scope);
        if (key == null) {
            return past(request, next);
        }
        return read(request, key, conditions -> {
            context.setHttpRequest(conditional(request, conditions));
            return next.clone().process().flatMap(response -> CacheableResponse.loaded(response, request, conditions));
        });
    }

    @Override
    public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
        HttpRequest request = context.getHttpRequest();
        CacheKey key = RequestKey.of(request, scope);
        if (key == null) {
            return pastSync(request, next);
        }
        CallerThread caller = new CallerThread();
        return blocking(caller, read(request, key, conditions -> caller.call(() -> {
                    context.setHttpRequest(conditional(request, conditions));
                    return next.clone().processSync();
                })
                .flatMap(response -> CacheableResponse.loaded(response, request, conditions))));
    }

    private Mono<HttpResponse> read(HttpRequest request, CacheKey key, Loader loader) {
        return cache.read(new CacheRead(key, freshness, loader, CacheableResponse::isUnavailable))
                .<HttpResponse>map(response -> new ReplayedResponse(request, response))
                .onErrorResume(PassThroughException.class, refusal -> Mono.just(refusal.response(request)));
    }

    private static HttpResponse blocking(CallerThread caller, Mono<HttpResponse> response) {
        try {
            return Objects.requireNonNull(caller.await(response));
        } catch (RuntimeException e) {
            Throwable cause = Exceptions.unwrap(e);
            throw cause instanceof IOException io ? new UncheckedIOException(io) : e;
        }
    }

    /**
     * HEAD has no body to save, and its response may change while the ETag stays: with the tier, the lease, the tags.
     */
    private static HttpRequest conditional(HttpRequest request, Conditions conditions) {
        HttpRequest copy = request.copy();
        if (request.getHttpMethod() == HttpMethod.HEAD) {
            return copy;
        }
        if (conditions.etag() != null) {
            copy.setHeader(HttpHeaderName.IF_NONE_MATCH, conditions.etag());
        } else if (conditions.lastModified() != null) {
            copy.setHeader(HttpHeaderName.IF_MODIFIED_SINCE, conditions.lastModified());
        }
        return copy;
    }

    private Mono<HttpResponse> past(HttpRequest request, HttpPipelineNextPolicy next) {
        return Mono.defer(() -> {
            AtomicBoolean over = new AtomicBoolean();
            return next.process()
                    .doOnNext(response -> endedOnce(over, request, response))
                    .doOnError(failure -> endedOnce(over, request, null))
                    .doOnCancel(() -> endedOnce(over, request, null));
        });
    }

    /** Some operators cancel their source when it has emitted the response: the end then comes twice. */
    private void endedOnce(AtomicBoolean over, HttpRequest request, @Nullable HttpResponse response) {
        if (over.compareAndSet(false, true)) {
            ended(request, response);
        }
    }

    private HttpResponse pastSync(HttpRequest request, HttpPipelineNextSyncPolicy next) {
        HttpResponse response = null;
        try {
            response = next.processSync();
            return response;
        } finally {
            ended(request, response);
        }
    }

    /**
     * A read that finds another version than it was begun with shows that the cached version is out of date, as a write
     * does.
     */
    private void ended(HttpRequest request, @Nullable HttpResponse response) {
        int status = response == null ? 0 : response.getStatusCode();
        WrittenResource named = WrittenResource.of(request);
        if (request.getHttpMethod() == HttpMethod.GET || request.getHttpMethod() == HttpMethod.HEAD) {
            if (status == 412) {
                cache.invalidate(named.resource());
            }
        } else {
            boolean unknown = response == null
                    || CacheableResponse.isUnavailable(status)
                    || (status >= 300 && CacheableResponse.isForeign(response));
            written(named, unknown ? named.horizon() : Duration.ZERO);
        }
    }

    private void written(WrittenResource named, Duration horizon) {
        cache.invalidate(named.resource(), horizon);
        if (named.below() != null) {
            cache.invalidateAll(named.below(), horizon);
        }
    }

    /**
     * The resources that a request may have changed.
     *
     * @param resource the resource that it names
     * @param below how the names of what it may have changed besides begin, null if there is nothing
     * @param horizon for how long it may yet take effect if there was no response
     */
    record WrittenResource(String resource, @Nullable String below, Duration horizon) {

        /** The timeout that the service grants a request without a setting of it, in seconds. */
        private static final long TIMEOUT_SECONDS = 30;

        private static final long MARGIN_SECONDS = 5;

        static WrittenResource of(HttpRequest request) {
            ResourceUrl url = ResourceUrl.of(request);
            return new WrittenResource(url.resource(), below(request.getHttpMethod(), url), horizon(url.query()));
        }

        /** The names below a container as a whole, and all names for a batch, which lists them in its body. */
        private static @Nullable String below(HttpMethod method, ResourceUrl url) {
            boolean complete = method == HttpMethod.POST
                    || url.query().containsKey("restype")
                    || "batch".equals(url.query().get("comp"));
            String resource = url.resource();
            return !complete
                    ? null
                    : resource.endsWith("/$batch") ? resource.substring(0, resource.length() - 6) : resource;
        }

        private static Duration horizon(Map<String, String> query) {
            String timeout = query.getOrDefault("timeout", "");
            boolean reporting = timeout.matches("\\d{1,6}");
            return Duration.ofSeconds((reporting ? Long.parseLong(timeout) : TIMEOUT_SECONDS) + MARGIN_SECONDS);
        }
    }
}
