package io.stowline.transport.internal.account;

import com.azure.core.http.HttpRequest;
import io.stowline.transport.internal.error.ServiceError;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Puts the proof of the caller's right on each attempt's request. Thread-safe. */
public interface Authorizer {

    /**
     * Authorizes an attempt.
     *
     * @param request its request, changed in place
     * @param now the service's time, as far as it is known
     * @return what it was authorized with
     */
    Mono<Proof> authorize(HttpRequest request, Instant now);

    /**
     * Authorizes an attempt where that needs no wait.
     *
     * @param request its request, changed in place
     * @param now the service's time, as far as it is known
     * @return what it was authorized with, or {@code null} if {@link #authorize} has to be called
     */
    default @Nullable Proof authorizeAtOnce(HttpRequest request, Instant now) {
        return null;
    }

    /** What one attempt was authorized with. */
    @FunctionalInterface
    interface Proof {

        /**
         * Asked once for an operation, after a refusal.
         *
         * @param refusal what the service said against the attempt
         * @return why another attempt with a newer proof may do, or {@code null} if there is none
         */
        @Nullable
        String renewedAfter(ServiceError refusal);
    }
}
