package io.stowline.blob.internal;

/** The version that is not to be read is still the present one. No error to anybody but the reader of a body. */
final class UnchangedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnchangedException() {
        super("unchanged", null, false, false);
    }
}
