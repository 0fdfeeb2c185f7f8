package io.stowline.transport.internal.account;

/** The services of an account. */
public enum Service {
    /** Tables. */
    TABLE("table", "TableEndpoint", "TableSecondaryEndpoint"),
    /** Queues. */
    QUEUE("queue", "QueueEndpoint", "QueueSecondaryEndpoint"),
    /** Blobs. */
    BLOB("blob", "BlobEndpoint", "BlobSecondaryEndpoint");

    private final String host;
    private final String setting;
    private final String secondarySetting;

    Service(String host, String setting, String secondarySetting) {
        this.host = host;
        this.setting = setting;
        this.secondarySetting = secondarySetting;
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
        return setting;
    }

    /**
     * Returns the connection string's setting for the endpoint of the read-only copy.
     *
     * @return such as {@code TableSecondaryEndpoint}
     */
    public String secondarySetting() {
        return secondarySetting;
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
