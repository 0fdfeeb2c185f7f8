package io.stowline.access;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A stored access policy of a container, queue or table: what signatures made {@linkplain QueueSasBuilder#byPolicy by it} allow, and when. What it leaves
 * out, each signature sets.
 *
 * @param id its identifier, 1 to 64 characters
 * @param permissions the letters of its permissions in the service's order, such as {@code rl}; empty if signatures set them
 * @param startsAt the first moment at which the service takes its signatures; empty if signatures set it, or have no start
 * @param expiresAt the first moment at which the service refuses them; empty if signatures set it
 */
public record AccessPolicy(String id, String permissions, Optional<Instant> startsAt, Optional<Instant> expiresAt) {

    private static final int MAX_ID = 64;

    /**
     * Makes a policy.
     *
     * @param id its identifier
     * @param permissions the letters of its permissions
     * @param startsAt the first moment at which the service takes its signatures
     * @param expiresAt the first moment at which the service refuses them
     * @throws IllegalArgumentException if its identifier is empty, longer than 64 characters, or has a control character
     */
    public AccessPolicy {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(permissions, "permissions");
        Objects.requireNonNull(startsAt, "startsAt");
        Objects.requireNonNull(expiresAt, "expiresAt");
        if (id.isEmpty() || id.length() > MAX_ID) {
            throw new IllegalArgumentException(
                    "the identifier of a stored access policy has 1 to " + MAX_ID + " characters, not " + id.length());
        }
        if (id.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("the identifier of a stored access policy has no control characters");
        }
    }
}
