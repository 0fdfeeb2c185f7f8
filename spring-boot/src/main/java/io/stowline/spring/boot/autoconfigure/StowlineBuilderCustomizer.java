package io.stowline.spring.boot.autoconfigure;

import io.stowline.Stowline;

/**
 * A customizer that changes the builder of a client after all properties are applied. Beans of this type are called in their order; the last one has the last
 * word. One that throws stops the start of the application.
 */
@FunctionalInterface
public interface StowlineBuilderCustomizer {

    /**
     * Changes the builder.
     *
     * @param builder the builder of a client
     */
    void customize(Stowline.Builder builder);

    /**
     * Returns whether the client of an account is customized. Each is, unless this method is overridden.
     *
     * @param account the name below {@code stowline.accounts}; {@code stowline} for the default account
     * @return whether {@link #customize} is called for it
     */
    default boolean supports(String account) {
        return true;
    }
}
