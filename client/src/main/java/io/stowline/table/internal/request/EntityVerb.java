package io.stowline.table.internal.request;

import com.azure.core.http.HttpMethod;

/** What can be done to one entity. Whether a PUT or MERGE is conditional or an upsert hangs on its If-Match alone. */
public enum EntityVerb {
    /** Makes an entity that is not there yet. */
    INSERT("insert", HttpMethod.POST, "POST"),
    /** Makes an entity, or adds to the one that is there. */
    INSERT_OR_MERGE("insertOrMerge", HttpMethod.PATCH, "MERGE"),
    /** Makes an entity, or takes the place of the one that is there. */
    INSERT_OR_REPLACE("insertOrReplace", HttpMethod.PUT, "PUT"),
    /** Takes the place of an entity whose ETag is known. */
    REPLACE("replace", HttpMethod.PUT, "PUT"),
    /** Adds to an entity whose ETag is known. */
    MERGE("merge", HttpMethod.PATCH, "MERGE"),
    /** Removes an entity. */
    DELETE("delete", HttpMethod.DELETE, "DELETE");

    private final String label;
    private final HttpMethod method;
    private final String batchMethod;

    EntityVerb(String label, HttpMethod method, String batchMethod) {
        this.label = label;
        this.method = method;
        this.batchMethod = batchMethod;
    }

    /**
     * The verb as the caller knows it.
     *
     * @return such as {@code insertOrMerge}
     */
    public String label() {
        return label;
    }

    HttpMethod method() {
        return method;
    }

    /** The method inside a batch, where PATCH still goes by its old name. */
    String batchMethod() {
        return batchMethod;
    }

    /** Whether it needs an If-Match; with one an upsert would be a replacement, and without one a replacement an upsert. */
    public boolean conditional() {
        return this == REPLACE || this == MERGE || this == DELETE;
    }

    public boolean hasBody() {
        return this != DELETE;
    }

    /** Whether it leaves the same state whatever was there, so that a later one can stand for an earlier one. */
    public boolean upsert() {
        return this == INSERT_OR_MERGE || this == INSERT_OR_REPLACE;
    }

    /** Whether what it sends is the whole entity afterwards. */
    public boolean replaces() {
        return this == INSERT || this == INSERT_OR_REPLACE || this == REPLACE;
    }
}
