package io.stowline.examples.photodrop;

import org.jspecify.annotations.Nullable;

/** Content that is no photo, or too large a one. */
class UnreadablePhotoException extends Exception {

    private static final long serialVersionUID = 1;

    UnreadablePhotoException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
