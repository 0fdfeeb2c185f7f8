package io.stowline.access.internal;

import com.azure.core.http.HttpMethod;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.pipeline.DirectCalls;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.request.DocumentedStatus;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import io.stowline.transport.internal.request.ServiceVersion;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The user delegation keys of one service: one at a time, requested once for all signatures that wait for it, and replaced before a signature would
 * outlive it (ACCESS-2). Thread-safe.
 */
final class DelegationKeys {

    /** The longest life of a key (the service's page "Get User Delegation Key"). */
    static final Duration MAX_LIFE = Duration.ofDays(7);

    /** A key serves the signatures of a day, so that few requests are sent and an old key does not live on for a week. */
    private static final Duration SERVES = Duration.ofDays(1);

    /** The service counts seven days by its clock, which may be behind. */
    private static final Duration MARGIN = Duration.ofMinutes(1);

    /** A key begins in the past, since the clock of the service may be behind (its page "Best practices when using SAS"). */
    private static final Duration BACK = Duration.ofMinutes(15);

    private static final String VERB = "userDelegationKey";
    private static final DocumentedStatus READ = DocumentedStatus.status(200);

    private final StoragePipeline pipeline;
    private final ServiceVersion version;
    private final Supplier<URI> endpoint;
    private final RetrySettings retry;
    private final AtomicReference<@Nullable RequestedKey> last = new AtomicReference<>();

    /**
     * Prepares the keys of a service.
     *
     * @param version the version that their requests name
     */
    DelegationKeys(StoragePipeline pipeline, ServiceVersion version, Supplier<URI> endpoint, RetrySettings retry) {
        this.pipeline = pipeline;
        this.version = version;
        this.endpoint = endpoint;
        this.retry = retry;
    }

    /**
     * A key that was requested.
     *
     * @param end the end that was requested
     * @param key the key, requested with its first subscriber and kept; a failure is not kept
     */
    private record RequestedKey(Instant end, Mono<DelegationKey> key) {}

    /**
     * Returns a key that is good until then.
     *
     * @param now the service's time, as far as it is known
     * @param end the end of the signature, at most seven days from now
     */
    Mono<DelegationKey> until(Instant end, Instant now) {
        return Mono.defer(() -> {
            RequestedKey known = last.get();
            if (known == null || known.end.isBefore(end)) {
                RequestedKey next = requested(end, now);
                known = last.compareAndSet(known, next) ? next : last.get();
            }
            RequestedKey used = known;
            return used == null || used.end.isBefore(end)
                    ? until(end, now)
                    : used.key
                            .doOnError(failed -> last.compareAndSet(used, null))
                            .flatMap(key -> {
                                if (!key.expiresAt().isBefore(end)) {
                                    return Mono.just(key);
                                }
                                last.compareAndSet(used, null);
                                return Mono.error(new IllegalArgumentException("the signature would outlive its user"
                                        + " delegation key: until " + end + ", but the service gave a key until "
                                        + key.expiresAt()));
                            });
        });
    }

    private RequestedKey requested(Instant end, Instant now) {
        Instant day = end.plus(SERVES);
        Instant latest = now.plus(MAX_LIFE).minus(MARGIN);
        Instant until = day.isBefore(latest) ? day : latest.isBefore(end) ? end : latest;
        return new RequestedKey(until, call(now, until).cache());
    }

    private Mono<DelegationKey> call(Instant now, Instant until) {
        String address = endpoint.get() + "/";
        return DirectCalls.of(pipeline)
                .observed(VERB, () -> address, () -> exchange(address, now, until), (key, exchange) -> key);
    }

    private Exchange<DelegationKey> exchange(String address, Instant now, Instant until) {
        Request request = Request.of(
                        VERB,
                        address,
                        OperationType.READ,
                        HttpMethod.POST,
                        address + "?restype=service&comp=userdelegationkey")
                .body("application/xml", DelegationKeyXml.request(now.minus(BACK), until))
                .headersOfAttempt(headers -> headers.set(ServiceVersion.HEADER, version.date()));
        return Exchange.of(
                request,
                retry,
                READ.parser(
                        response -> DelegationKeyXml.read(response.body()),
                        e -> new ParseResult.Unreadable<>("the response is no user delegation key")));
    }
}
