package io.stowline.table.internal.request;

/** Lets the tests of other packages see what was encoded. */
public final class Encoded {

    private Encoded() {}

    /** The entity's JSON. */
    public static byte[] json(EncodedOperation operation) {
        return operation.body();
    }
}
