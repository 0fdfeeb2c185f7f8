package io.stowline.access.internal.policy;

import io.stowline.access.AccessPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The access control list of a container, queue or table, which the service reads and replaces as a whole.
 *
 * @param policies its stored access policies
 * @param publicAccess the level of public access of a container, or {@code null} if there is none
 * @param etag the version of a container, or {@code null} for a queue or table
 * @param lastModified the time of a container's last change as the service writes it, or {@code null} for a queue or table
 */
record AccessControlList(
        List<AccessPolicy> policies,
        @Nullable String publicAccess,
        @Nullable String etag,
        @Nullable String lastModified) {

    static final AccessControlList EMPTY = new AccessControlList(List.of(), null, null, null);

    AccessControlList {
        policies = List.copyOf(policies);
    }

    /** Returns the list with other policies. */
    AccessControlList with(List<AccessPolicy> others) {
        return new AccessControlList(others, publicAccess, etag, lastModified);
    }

    /** Returns the list with a policy, in the place of the one with its identifier if there is one. */
    AccessControlList with(AccessPolicy policy) {
        List<AccessPolicy> changed = new ArrayList<>(policies);
        changed.replaceAll(old -> old.id().equals(policy.id()) ? policy : old);
        if (!has(policy.id())) {
            changed.add(policy);
        }
        return with(changed);
    }

    /** Returns the list without a policy, or nothing if it is not there. */
    Optional<AccessControlList> without(String id) {
        return has(id)
                ? Optional.of(with(policies.stream()
                        .filter(policy -> !policy.id().equals(id))
                        .toList()))
                : Optional.empty();
    }

    boolean has(String id) {
        return policies.stream().anyMatch(policy -> policy.id().equals(id));
    }

    /** Returns whether the container is certain to be unchanged since then. */
    boolean isVersionOf(AccessControlList earlier) {
        return etag != null && etag.equals(earlier.etag);
    }
}
