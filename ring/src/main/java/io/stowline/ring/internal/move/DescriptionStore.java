package io.stowline.ring.internal.move;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The descriptions in the accounts of a ring, and the positions of movers. The calls block. */
public interface DescriptionStore {

    /** Returns the accounts of both epochs in the order of their names; the first one decides between movers. */
    List<String> accounts();

    /** Returns the description in an account, or {@code null}. */
    @Nullable
    RingDescription read(String account);

    /**
     * Writes the description in an account.
     *
     * @param etag the version to replace, or {@code null} to insert
     * @return false if there is another version, or it is unknown whether it was written: read it again
     */
    boolean write(String account, RingDescription description, @Nullable String etag);

    /** Returns the position that a mover has left, or {@code null}. */
    @Nullable
    String position(String key);

    /** Keeps the position of a mover. */
    void keepPosition(String key, String position);
}
