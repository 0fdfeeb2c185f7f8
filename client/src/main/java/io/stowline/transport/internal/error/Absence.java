package io.stowline.transport.internal.error;

import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;

/** The failures that mean of a table, queue or container that there is none. Stateless. */
public final class Absence {

    private Absence() {}

    /** Tests whether it is missing, or was deleted a short time ago and is being removed. */
    public static boolean isMeantBy(Throwable error) {
        return error instanceof NotFoundException
                || (error instanceof ConflictException conflict && conflict.isBeingDeleted());
    }
}
