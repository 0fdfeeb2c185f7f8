package io.stowline.table.transfer;

/** The type of a property in the service, as a column of a CSV file declares it. */
public enum PropertyKind {
    /** Text. */
    STRING("Edm.String"),
    /** {@code true} or {@code false}. */
    BOOLEAN("Edm.Boolean"),
    /** A 32-bit integer. */
    INT32("Edm.Int32"),
    /** A 64-bit integer. */
    INT64("Edm.Int64"),
    /** A 64-bit floating point number. */
    DOUBLE("Edm.Double"),
    /** A UTC time in steps of 100 ns. */
    DATETIME("Edm.DateTime"),
    /** A UUID. */
    GUID("Edm.Guid"),
    /** Bytes, in Base64. */
    BINARY("Edm.Binary");

    private final String wireName;

    PropertyKind(String wireName) {
        this.wireName = wireName;
    }

    /**
     * Returns the name of the type in the service's protocol.
     *
     * @return such as {@code Edm.Int64}
     */
    public String wireName() {
        return wireName;
    }
}
