package io.stowline.transport.internal.account;

import java.net.URI;
import java.util.Map;
import java.util.Optional;

/**
 * An account with its name, its credential and its endpoints.
 *
 * @param name the account's name, as it stands in signatures and thread names
 * @param credential the credential that authorizes its requests
 * @param endpoints the root of each service that is known, without a trailing slash
 * @param secondaries the root of the read-only copy of each service, as far as it is given or implied; whether the account has one is
 *     not known
 */
public record StorageAccount(
        String name, AccountCredential credential, Map<Service, URI> endpoints, Map<Service, URI> secondaries) {

    /** Keeps its own copies of the endpoints. */
    public StorageAccount {
        endpoints = Map.copyOf(endpoints);
        secondaries = Map.copyOf(secondaries);
    }

    /**
     * An account without read-only copies.
     *
     * @param name the account's name
     * @param credential what authorizes its requests
     * @param endpoints the root of each service that is known
     */
    public StorageAccount(String name, AccountCredential credential, Map<Service, URI> endpoints) {
        this(name, credential, endpoints, Map.of());
    }

    /**
     * Returns the root of one service.
     *
     * @throws IllegalArgumentException if none is known
     */
    public URI endpoint(Service service) {
        return Optional.ofNullable(endpoints.get(service))
                .orElseThrow(() -> new IllegalArgumentException("the " + service.host()
                        + " endpoint of this account is not known: give " + service.setting()
                        + " or EndpointSuffix in the connection string, or " + service.parameter()
                        + " to the builder"));
    }

    /**
     * Returns the root of the read-only copy of one service.
     *
     * @return its endpoint, or empty if none is given or implied
     */
    public Optional<URI> secondary(Service service) {
        return Optional.ofNullable(secondaries.get(service));
    }
}
