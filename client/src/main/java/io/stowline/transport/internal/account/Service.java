package io.stowline.transport.internal.account;

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
     * Returns the part of the host name that stands for the service.
     *
     * @return such as {@code table}
     */
    public String host() {
        return host;
    }

    /**
     * Returns the connection string's setting for an explicit endpoint.
     *
     * @return such as {@code TableEndpoint}
     */
    public String setting() {
        return Character.toUpperCase(host.charAt(0)) + host.substring(1) + "Endpoint";
    }

    /**
     * Returns the connection string's setting for the endpoint of the read-only copy.
     *
     * @return such as {@code TableSecondaryEndpoint}
     */
    public String secondarySetting() {
        return Character.toUpperCase(host.charAt(0)) + host.substring(1) + "SecondaryEndpoint";
    }

    /**
     * Returns the builder's parameter for an explicit endpoint.
     *
     * @return such as {@code tableEndpoint}
     */
    public String parameter() {
        return host + "Endpoint";
    }
}
