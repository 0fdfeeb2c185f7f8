package io.stowline.ring.internal.move;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The move of the blobs of one container, one blob after the other. The calls block, and each can be repeated. */
public interface ContainerMover {

    /** Returns the name of the container with its region, unlike that of any table. */
    String name();

    /** Makes the container in all accounts of the region, since those that join have none. */
    void createIfMissing();

    /** Returns the accounts that have blobs of this container in either epoch. */
    List<String> accounts();

    /**
     * Returns some names of an account, in their order, reserved blobs included.
     *
     * @param after the last name that was returned, or {@code null}
     * @return the names behind it; empty at the end
     */
    List<String> blobs(String account, @Nullable String after);

    /** Returns whether the homes of a blob differ and an account is one of them. */
    boolean moves(String account, String blob);

    /**
     * Moves a blob to the home of a mover's target, as far as the phase has it move.
     *
     * @param now the description of the mover
     * @param confirm fails if a later mover has begun; it runs before each step
     * @return whether it was elsewhere
     */
    boolean bring(String blob, RingDescription now, Runnable confirm);

    /** Returns the home of a blob, or {@code null} if it is in between. */
    @Nullable
    RingEpoch home(String blob);

    /** Removes the rest of a blob outside the home of the target. */
    void clean(String blob, RingEpoch target);
}
