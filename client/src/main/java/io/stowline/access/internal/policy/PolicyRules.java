package io.stowline.access.internal.policy;

import io.stowline.access.AccessPolicy;
import io.stowline.transport.internal.account.Service;
import java.time.Instant;
import java.time.temporal.ChronoField;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The service's rules for the stored access policies of one resource (its page "Define a stored access policy"). They are for new policies: stored ones are
 * kept as they are.
 *
 * @param resource the resource in words
 * @param permissions the letters of its permissions in the service's order
 */
record PolicyRules(String resource, String permissions) {

    private static final int MAX_POLICIES = 5;
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.9999999Z");

    /** The service counts time in units of 100 ns. */
    private static final int UNIT = 100;

    /** Returns the rules for what one service holds under this name. */
    static PolicyRules of(Service service, String name) {
        return switch (service) {
            // Beyond the builders' letters those of accounts with directories: m, e, o and p.
            case BLOB -> new PolicyRules("the container " + name, "racwdxyltfmeopi");
            case QUEUE -> new PolicyRules("the queue " + name, "raup");
            case TABLE -> new PolicyRules("the table " + name, "raud");
        };
    }

    /**
     * Checks a policy.
     *
     * @return the policy with its permissions in the service's order and its times as precise as the service's
     * @throws IllegalArgumentException if it has a permission that the resource lacks, or does not begin before its end
     */
    AccessPolicy checked(AccessPolicy policy) {
        Objects.requireNonNull(policy, "policy");
        policy.permissions()
                .chars()
                .filter(letter -> permissions.indexOf(letter) < 0)
                .findFirst()
                .ifPresent(letter -> {
                    throw new IllegalArgumentException("the policy '" + policy.id() + "' has the permission '"
                            + (char) letter + "', and " + resource + " has only " + permissions);
                });
        AccessPolicy checked = new AccessPolicy(
                policy.id(),
                permissions
                        .chars()
                        .filter(letter -> policy.permissions().indexOf(letter) >= 0)
                        .mapToObj(Character::toString)
                        .collect(Collectors.joining()),
                time(policy.id(), policy.startsAt()),
                time(policy.id(), policy.expiresAt()));
        checked.startsAt().ifPresent(start -> checked.expiresAt().ifPresent(end -> {
            if (!start.isBefore(end)) {
                throw new IllegalArgumentException("the policy '" + policy.id() + "' begins at " + start
                        + ", which is not before its end at " + end);
            }
        }));
        return checked;
    }

    private static Optional<Instant> time(String id, Optional<Instant> time) {
        return time.map(given -> {
            if (given.isAfter(LAST)) {
                throw new IllegalArgumentException(
                        "the policy '" + id + "' has the time " + given + ", and the last one is " + LAST);
            }
            return given.minusNanos(given.get(ChronoField.NANO_OF_SECOND) % UNIT);
        });
    }

    /**
     * Checks the policies that replace all.
     *
     * @throws IllegalArgumentException if there are too many, two have one identifier, or one of them is refused
     */
    List<AccessPolicy> checked(List<AccessPolicy> policies) {
        Objects.requireNonNull(policies, "policies");
        if (policies.size() > MAX_POLICIES) {
            throw new IllegalArgumentException(
                    resource + " takes at most " + MAX_POLICIES + " stored access policies, not " + policies.size());
        }
        Set<String> ids = new HashSet<>();
        return policies.stream()
                .map(policy -> {
                    AccessPolicy checked = checked(policy);
                    if (!ids.add(checked.id())) {
                        throw new IllegalArgumentException("the policy '" + checked.id() + "' is there twice");
                    }
                    return checked;
                })
                .toList();
    }

    /**
     * Checks the list with one more policy.
     *
     * @throws IllegalStateException if there are too many
     */
    AccessControlList checked(AccessControlList changed) {
        if (changed.policies().size() > MAX_POLICIES) {
            throw new IllegalStateException(resource + " has " + MAX_POLICIES + " stored access policies already, the"
                    + " limit: remove one first, or set them by replaceAll");
        }
        return changed;
    }
}
