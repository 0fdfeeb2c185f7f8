package io.stowline.spark;

import io.stowline.Stowline;
import java.util.Map;

/**
 * A class of the application that sets the account and the credential of a client, such as a managed identity. The option
 * {@code credentialClass} names it; the driver and each executor make it by its public constructor without parameters.
 *
 * <p>For tokens of Microsoft Entra ID it sets {@code tableEndpoint} and {@code credential} of the builder.
 */
@FunctionalInterface
public interface TableCredentials {

    /**
     * Sets the account and the credential. The source replaces the listener and the application's id.
     *
     * @param client a builder with the defaults
     * @param options the options whose names begin with {@code credential.}, in lower case and without that beginning. They are
     *     serialized and may be shown: none of them is a secret
     * @return the builder
     */
    Stowline.Builder configure(Stowline.Builder client, Map<String, String> options);
}
