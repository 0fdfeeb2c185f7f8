package io.stowline.access;

import io.stowline.outcome.WriteResult;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The stored access policies of one container, queue or table, at most 5. A signature made by a policy ends when the policy is removed or changed: it is
 * the way to take access back before its end.
 *
 * <pre>{@code
 * photos.policies().set("readers", with -> with.canRead().canList().validFor(Duration.ofDays(90)));
 * URI link = photos.sas("a.jpg").byPolicy("readers").sign().uri();
 * photos.policies().remove("readers");
 * }</pre>
 *
 * <p>The service takes up to 30 seconds to apply a change: until then it may refuse a signature by a new policy, and take one by a removed policy.
 * Reading and writing policies takes the account key; on containers and queues a {@code TokenCredential} whose identity may do that serves too.
 *
 * <p>The service replaces all policies at once, so that {@link #set set} and {@link #remove remove} read them first and write the others back. On a
 * container they write only if it has not been changed in between, to the second, and else read again; its level of public access stays. Queues and
 * tables have no such condition: of two changes at the same time, one may be lost. After a lost response the policies are read back.
 *
 * <p>Thread-safe.
 *
 * @param <B> the builder of signatures for the same resource, whose permissions and times describe a policy
 */
public interface AccessPolicies<B extends SasBuilder<?, ?>> {

    /**
     * Reads all policies.
     *
     * @return the policies, none if there are none
     */
    List<AccessPolicy> list();

    /**
     * Describes a policy and sends nothing.
     *
     * @param id its identifier, 1 to 64 characters
     * @param settings names its permissions, its start and its end, each of which it may leave to signatures; it returns the builder
     * @return the policy
     * @throws IllegalArgumentException if the identifier is not allowed, or the settings have what only a signature carries, such as an address
     */
    AccessPolicy policy(String id, UnaryOperator<B> settings);

    /**
     * Sets one policy, new or changed, and keeps the others.
     *
     * @param id its identifier, 1 to 64 characters
     * @param settings names its permissions, its start and its end, each of which it may leave to signatures; it returns the builder
     * @return its result
     * @throws IllegalArgumentException if the identifier is not allowed, or the settings have what only a signature carries, such as an address
     * @throws IllegalStateException if there are 5 others already
     */
    default WriteResult set(String id, UnaryOperator<B> settings) {
        return set(policy(id, settings));
    }

    /**
     * Sets one policy, new or changed, and keeps the others.
     *
     * @param policy the policy
     * @return its result
     * @throws IllegalArgumentException if it has a permission that the resource lacks, or does not begin before its end
     * @throws IllegalStateException if there are 5 others already
     * @throws io.stowline.error.PreconditionFailedException if others have changed the container at the same time, three times in a row
     */
    WriteResult set(AccessPolicy policy);

    /**
     * Removes one policy, and with it all signatures made by it; keeps the others.
     *
     * @param id its identifier
     * @return false if there was none
     * @throws io.stowline.error.PreconditionFailedException if others have changed the container at the same time, three times in a row
     */
    boolean remove(String id);

    /**
     * Replaces all policies.
     *
     * @param policies the policies, at most 5; an empty list removes all
     * @return its result
     * @throws IllegalArgumentException if there are more than 5, two have one identifier, one has a permission that the resource lacks, or does not begin
     *     before its end
     * @throws io.stowline.error.PreconditionFailedException if others have changed the container at the same time, three times in a row
     */
    WriteResult replaceAll(List<AccessPolicy> policies);
}
