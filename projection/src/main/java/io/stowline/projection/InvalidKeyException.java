package io.stowline.projection;

/**
 * An argument that cannot be a partition or row key, the value of an index, a range of these or the name of a blob, or that is no key or name
 * of its {@link io.stowline.projection.key.KeyFormat}. Nothing was sent. A web application whose keys come from paths maps it to a
 * 400.
 *
 * <p>The message names the role of the key, and its size or the position of the wrong character, but never the key. It names a number or a
 * time that is out of its limits.
 */
public final class InvalidKeyException extends InvalidValueException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message the role of the key, and what is wrong with it
     */
    public InvalidKeyException(String message) {
        super(message);
    }
}
