package io.stowline.transport.internal;

import java.net.URI;
import java.util.Map;
import java.util.Optional;

/**
 * An account as a connection string describes it: its name, what opens it and where its services are.
 *
 * @param name the account's name, as it stands in signatures and thread names
 * @param credential what authorizes its requests
 * @param endpoints the root of each service that the connection string gives or implies, without a trailing slash
 */
public record StorageAccount(String name, AccountCredential credential, Map<Service, URI> endpoints) {

    /** Keeps its own copy of the endpoints. */
    public StorageAccount {
        endpoints = Map.copyOf(endpoints);
    }

    /**
     * The root of one service.
     *
     * @param service the service
     * @return its endpoint
     * @throws IllegalArgumentException if the connection string gives none for it
     */
    public URI endpoint(Service service) {
        return Optional.ofNullable(endpoints.get(service))
                .orElseThrow(() -> new IllegalArgumentException("the connection string gives no " + service.setting()
                        + " and no EndpointSuffix to make one of"));
    }

    /** The services of an account. */
    public enum Service {
        /** Tables. */
        TABLE("table"),
        /** Queues. */
        QUEUE("queue"),
        /** Blobs. */
        BLOB("blob");

        private final String host;

        Service(String host) {
            this.host = host;
        }

        /**
         * The part of the host name that stands for the service.
         *
         * @return such as {@code table}
         */
        public String host() {
            return host;
        }

        /**
         * The connection string's setting for an explicit endpoint.
         *
         * @return such as {@code TableEndpoint}
         */
        public String setting() {
            return Character.toUpperCase(host.charAt(0)) + host.substring(1) + "Endpoint";
        }
    }
}
