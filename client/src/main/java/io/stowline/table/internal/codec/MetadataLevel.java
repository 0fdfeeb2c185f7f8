package io.stowline.table.internal.codec;

/** How much the service says about each row beside its values (its page "Payload format for table service operations"). */
public enum MetadataLevel {
    /** Nothing: enough where the Java type knows the types. */
    NONE("application/json;odata=nometadata"),
    /** The types of properties that JSON cannot tell. */
    MINIMAL("application/json;odata=minimalmetadata"),
    /** Also ETags and addresses; the only level that promises ETags. */
    FULL("application/json;odata=fullmetadata");

    private final String accept;

    MetadataLevel(String accept) {
        this.accept = accept;
    }

    /**
     * The level as the value of an Accept header.
     *
     * @return such as {@code application/json;odata=nometadata}
     */
    public String accept() {
        return accept;
    }
}
