package io.stowline.transport.internal.account;

import com.azure.core.http.HttpRequest;
import com.azure.core.http.policy.HttpPipelinePolicy;
import io.stowline.transport.internal.error.ServiceError;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A credential that opens an account and authorizes the requests to each of its services. Thread-safe; may change while in use. */
public interface AccountCredential {

    /** Makes what authorizes the requests to one service. */
    Authorizer authorizer(Service service);

    /**
     * Returns the identity that it stands for at present.
     *
     * @return a digest, from which nothing of the credential can be learned
     */
    String scope();

    /**
     * Returns the account that it opens.
     *
     * @return the account's name, or {@code null} if the credential does not name it
     */
    default @Nullable String account() {
        return null;
    }

    /**
     * Returns the policies by which the Azure SDK's clients sign for themselves: shared access signatures, and the parts of a batch.
     *
     * @return policies for their pipelines; none if there is no key
     */
    default List<HttpPipelinePolicy> signers() {
        return List.of();
    }

    /**
     * Returns the digest of a secret, for {@link #scope}.
     *
     * @param kind separates secrets of different kinds
     * @return the digest in hexadecimal digits
     */
    static String fingerprint(String kind, String secret) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            sha256.update((kind + '\n').getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sha256.digest(secret.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    /** An authorizer that puts the proof of the caller's right on each attempt's request. Thread-safe. */
    interface Authorizer {

        /**
         * Authorizes an attempt.
         *
         * @param request its request, changed in place
         * @param now the service's time, as far as it is known
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

        /** Returns whether its proof holds for one request alone, as a signature by the account key does. */
        default boolean signsEachRequest() {
            return false;
        }

        /** The proof that one attempt was authorized with. */
        @FunctionalInterface
        interface Proof {

            /**
             * Judges a refusal, once for an operation.
             *
             * @param refusal the service's refusal of the attempt
             * @return why another attempt with a newer proof may do, or {@code null} if there is none
             */
            @Nullable
            String renewedAfter(ServiceError refusal);
        }
    }
}
