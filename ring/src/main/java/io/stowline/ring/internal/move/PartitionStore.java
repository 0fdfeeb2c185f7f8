package io.stowline.ring.internal.move;

import io.stowline.table.EntityKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The partitions of one table in both of their homes, as the protocol of a move needs them. The calls block. */
public interface PartitionStore {

    /** Returns the name of the table with its region. */
    String name();

    /** Returns the place row of a partition in one of its homes, or {@code null}. */
    @Nullable
    PlaceRow place(RingEpoch home, String partitionKey);

    /**
     * Replaces a place row and the fence row beside it, in one transaction.
     *
     * @param from the version that is there, or {@code null} for none
     * @param to the row to write
     * @return false if the row has another version, or it is unknown whether it was written: read it again
     */
    boolean put(RingEpoch home, String partitionKey, @Nullable PlaceRow from, PlaceRow to);

    /**
     * Gives one home of a partition the entities of the other one, by transactions that merge a fence row.
     *
     * @return how many entities differed
     * @throws FenceClosedException if the fence row is gone
     */
    long align(RingEpoch from, RingEpoch to, String partitionKey, String fenceRow);

    /**
     * Removes reserved rows of a partition, in the last transaction its place row with the fence row beside it. Each transaction depends on the version of the place row.
     *
     * @param row the place row
     * @param entities whether the entities are removed, too
     * @return false if the place row has another version
     */
    boolean clear(RingEpoch home, String partitionKey, PlaceRow row, boolean entities);

    /** Returns the keys of some entities of a partition in one of its homes, without reserved rows. */
    List<EntityKey> entities(RingEpoch home, String partitionKey);

    /** Returns the keys of some entities in the accounts that join. */
    List<EntityKey> joined();

    /** Returns the accounts that have partitions of this table in either epoch. */
    List<String> accounts();

    /**
     * Returns some partition keys of an account, in their order, of any kind of row.
     *
     * @param after the last key that was returned, or {@code null}
     * @return the keys behind it; empty at the end
     */
    List<String> partitions(String account, @Nullable String after);

    /** Returns whether the homes of a partition differ and an account is one of them. */
    boolean moves(String account, String partitionKey);
}
