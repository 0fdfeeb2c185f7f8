package io.stowline.spring.boot.autoconfigure;

import java.util.Objects;

/**
 * A table, queue or container that a {@link StowlineBeans} declares or properties name. Immutable and thread-safe.
 *
 * @param account the name below {@code stowline.accounts}; {@code stowline} for the default account
 * @param kind what it is
 * @param name its name in the account
 * @param beanName the name of its blocking bean, or of the bean that uses it, such as a repository
 */
public record DeclaredResource(String account, Kind kind, String name, String beanName) {

    /**
     * Makes the description of a resource.
     *
     * @param account the name below {@code stowline.accounts}; {@code stowline} for the default account
     * @param kind what it is
     * @param name its name in the account
     * @param beanName the name of its blocking bean
     */
    public DeclaredResource {
        Objects.requireNonNull(account, "account");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(beanName, "beanName");
    }

    /** The kinds of resources. */
    public enum Kind {

        /** A table of the table service. */
        TABLE,

        /** A queue of the queue service. */
        QUEUE,

        /** A container of the blob service. */
        CONTAINER
    }
}
