package io.stowline.transport.internal.account;

import com.azure.core.http.HttpRequest;
import com.azure.core.http.policy.HttpPipelinePolicy;
import io.stowline.transport.internal.error.ServiceError;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** What opens an account, whichever way: it authorizes the requests to each of its services. Thread-safe; may change while in use. */
public interface AccountCredential {

    /**
     * Makes what authorizes the requests to one service.
     *
     * @return its authorizer
     */
    Authorizer authorizer(Service service);

    /**
     * Whom it stands for at present, for what must not be shared with others: what one has read no other is given from a cache (CACHE-6).
     *
     * @return a digest, from which nothing of the credential can be learned
     */
    String scope();

    /**
     * The account that it opens.
     *
     * @return the account's name, or {@code null} if the credential does not say
     */
    default @Nullable String account() {
        return null;
    }

    /**
     * By what the Azure SDK's own clients sign what they sign themselves: shared access signatures, and the parts of a batch.
     *
     * @return policies for their pipelines; none if there is no key
     */
    default List<HttpPipelinePolicy> signers() {
        return List.of();
    }

    /** Puts the proof of the caller's right on each attempt's request. Thread-safe. */
    interface Authorizer {

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
}
