package io.stowline.access;

import java.net.URI;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A shared access signature with the address that it opens. Its {@code toString} shows neither; {@link #uri} and {@link #token} do. Immutable and
 * thread-safe.
 */
public final class SharedAccessSignature {

    private final URI resource;
    private final String token;
    private final @Nullable Instant expiresAt;

    private SharedAccessSignature(URI resource, String token, @Nullable Instant expiresAt) {
        this.resource = resource;
        this.token = token;
        this.expiresAt = expiresAt;
    }

    /**
     * Makes one of its parts, as a test of code that takes signatures needs it.
     *
     * @param resource the address of the resource; a query names a snapshot or version
     * @param token the query that opens it, without a question mark
     * @param expiresAt when it ends, or {@code null} where a stored access policy sets that
     * @return the signature
     * @throws IllegalArgumentException if the token is empty
     */
    public static SharedAccessSignature of(URI resource, String token, @Nullable Instant expiresAt) {
        Objects.requireNonNull(resource, "resource");
        Objects.requireNonNull(token, "token");
        if (token.isEmpty()) {
            throw new IllegalArgumentException("the token is empty");
        }
        return new SharedAccessSignature(resource, token, expiresAt);
    }

    /**
     * Returns the address with the signature: a secret, which opens the resource for everyone who has it.
     *
     * @return the address to be given away
     */
    public URI uri() {
        return URI.create(resource + (resource.getRawQuery() == null ? "?" : "&") + token);
    }

    /**
     * Returns the signature alone: a secret, such as for {@code AzureSasCredential}.
     *
     * @return the parameters of a query, without a question mark
     */
    public String token() {
        return token;
    }

    /**
     * Returns the address that it opens.
     *
     * @return the address without the signature, which may be shown
     */
    public URI resource() {
        return resource;
    }

    /**
     * Returns when it ends.
     *
     * @return the first moment at which the service refuses it, in whole seconds; empty where a stored access policy sets that
     */
    public Optional<Instant> expiresAt() {
        return Optional.ofNullable(expiresAt);
    }

    @Override
    public String toString() {
        return "SharedAccessSignature[" + resource + (expiresAt == null ? "" : ", until " + expiresAt) + ", not shown]";
    }
}
