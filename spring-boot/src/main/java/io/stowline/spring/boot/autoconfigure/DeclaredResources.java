package io.stowline.spring.boot.autoconfigure;

import io.stowline.spring.boot.account.AccountClients;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The resources that one {@link StowlineBeans} declares or properties name, as a bean. Immutable and thread-safe.
 *
 * @param resources the resources in the order of their declaration
 */
public record DeclaredResources(List<DeclaredResource> resources) {

    /**
     * Keeps a copy of the list.
     *
     * @param resources the resources in the order of their declaration
     */
    public DeclaredResources {
        resources = List.copyOf(resources);
    }

    /**
     * Returns the one resource that properties name.
     *
     * @param account the name below {@code stowline.accounts}; {@code null} for the default account
     * @param kind what it is
     * @param name its name in the account
     * @param beanName the name of the bean that uses it
     * @return the resource
     */
    public static DeclaredResources of(
            @Nullable String account, DeclaredResource.Kind kind, String name, String beanName) {
        return new DeclaredResources(List.of(
                new DeclaredResource(Objects.requireNonNullElse(account, AccountClients.MAIN), kind, name, beanName)));
    }
}
