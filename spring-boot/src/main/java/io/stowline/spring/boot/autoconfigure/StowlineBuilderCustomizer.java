package io.stowline.spring.boot.autoconfigure;

import io.stowline.Stowline;
import io.stowline.observe.StowlineListener;
import java.util.Optional;

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

    /**
     * Changes the builder of the client of an account, by {@link #customize(Stowline.Builder)} unless this method is overridden for settings that
     * depend on the account.
     *
     * @param account the name below {@code stowline.accounts}; {@code stowline} for the default account
     * @param builder the builder of its client
     */
    default void customize(String account, Stowline.Builder builder) {
        customize(builder);
    }

    /**
     * Returns a listener to the client of an account, beside the beans of type {@link StowlineListener}, which listen to all clients.
     *
     * @param account the name below {@code stowline.accounts}; {@code stowline} for the default account
     * @return the listener, empty for none
     */
    default Optional<StowlineListener> listener(String account) {
        return Optional.empty();
    }
}
