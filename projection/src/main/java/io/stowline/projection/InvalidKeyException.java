package io.stowline.projection;

import io.stowline.projection.internal.edm.Abbreviation;

/**
 * An argument that cannot be a partition or row key, or that is no key or name of its {@link io.stowline.projection.key.KeyFormat}. Nothing was
 * sent. A web application whose keys come from paths maps it to a 400.
 *
 * <p>The message names the role of the key, and its size or the position of the wrong character, but never the key.
 */
public final class InvalidKeyException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message the role of the key, and what is wrong with it
     */
    public InvalidKeyException(String message) {
        super(Abbreviation.printable(message));
    }
}
