package io.stowline.ring.internal.blob;

import io.stowline.ring.internal.move.RingEpoch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The blobs of one container in both of their homes, as the protocol of a move needs them. Each change depends on the version that was read.
 * It is false if there is another version, or its outcome is unknown: read it again. The calls block.
 */
public interface BlobStore {

    /** Returns the name of the container with its region. */
    String name();

    /** Returns the blob in one of its homes, or {@code null}. */
    @Nullable
    BlobPlace find(RingEpoch home, String blob);

    /**
     * Sets the stage of a blob, whose content stays.
     *
     * @param from the version that is there, or {@code null} to create an empty blob
     * @param term the number of the mover
     */
    boolean mark(RingEpoch home, String blob, @Nullable BlobPlace from, BlobStage stage, long term);

    /**
     * Gives a blob the content of the version in its other home.
     *
     * @param source the version to copy
     * @param target the version to replace
     * @param stage the stage of the copy
     * @param term the number of the mover
     */
    boolean copy(RingEpoch from, BlobPlace source, RingEpoch to, BlobPlace target, BlobStage stage, long term);

    /** Removes a version. */
    boolean remove(RingEpoch home, BlobPlace version);

    /** Makes the container in all accounts of the region. */
    void createIfMissing();

    /** Returns the accounts of the region in both epochs. */
    List<String> accounts();

    /** Returns some names of an account behind one; see {@link io.stowline.ring.internal.move.ContainerMover#blobs}. */
    List<String> blobs(String account, @Nullable String after);

    /** Returns whether the homes of a blob differ and an account is one of them. */
    boolean moves(String account, String blob);
}
