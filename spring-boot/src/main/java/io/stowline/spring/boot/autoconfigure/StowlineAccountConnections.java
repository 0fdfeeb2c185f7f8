package io.stowline.spring.boot.autoconfigure;

import org.jspecify.annotations.Nullable;

/**
 * The connections of further accounts. A bean of this type takes the place of the connection properties under {@code stowline.accounts}, as
 * {@link StowlineConnectionDetails} does for the default account; other properties of the accounts stay in force:
 *
 * <pre>{@code
 * @Configuration(proxyBeanMethods = false)
 * class VaultConfiguration {
 *     @Bean
 *     StowlineAccountConnections vaultConnections(StowlineConnectionDetails archive) {
 *         return account -> account.equals("archive") ? archive : null;
 *     }
 * }
 * }</pre>
 *
 * <p>Of several beans the first in their order that knows an account decides. Implementations are thread-safe.
 */
@FunctionalInterface
public interface StowlineAccountConnections {

    /**
     * Returns the connection of a further account.
     *
     * @param account the account's name below {@code stowline.accounts}
     * @return the connection, or {@code null} if this bean does not know the account
     */
    @Nullable
    StowlineConnectionDetails connection(String account);
}
