package io.stowline.ring;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The move of the partitions and blobs whose account a change of the ring changes, while applications go on to read and write them.
 *
 * <pre>{@code
 * RingMove move = ring.move().table("orders").table("notes", key -> key.substring(0, key.indexOf('|')));
 * move.run();
 * }</pre>
 *
 * <p>Begin it when every process has the ring with the accounts that join or leave. After {@link #run} every process gets the ring without
 * that change; {@link #finish} then removes what is left in the old accounts. Until then {@link #rollback} brings all back. Each method can
 * be called again after a failure or a kill, by any process, and goes on.
 *
 * <p>A call blocks for minutes or hours: before each pass over the tables it waits until no process goes by an older description of the
 * ring. Of two movers the later one goes on; the other fails with {@link RingMoveSupersededException}. Not thread-safe.
 */
public interface RingMove {

    /**
     * Adds a table whose placement is the partition key.
     *
     * @param name the table's name
     * @return this move
     */
    default RingMove table(String name) {
        return table(name, UnaryOperator.identity());
    }

    /**
     * Adds a table.
     *
     * @param name the table's name
     * @param placement gives the placement of a partition key: that of all processes
     * @return this move
     */
    RingMove table(String name, UnaryOperator<String> placement);

    /**
     * Adds a container whose placement is the name of a blob.
     *
     * @param name the container's name
     * @return this move
     */
    default RingMove container(String name) {
        return container(name, UnaryOperator.identity());
    }

    /**
     * Adds a container.
     *
     * @param name the container's name
     * @param placement gives the placement of a blob's name: that of all processes
     * @return this move
     */
    RingMove container(String name, UnaryOperator<String> placement);

    /**
     * Leaves a table or container where it is, since it is none of the ring. One of an account that is neither added nor left out refuses
     * the move.
     *
     * @param name the name of the table or container
     * @return this move
     */
    RingMove without(String name);

    /**
     * Sets how long a call of an application can last, writers included. The move waits that long, and {@link
     * StowlineRing.Builder#checkEvery} besides, before it closes the first partition.
     *
     * @param time the time; the default is 3 minutes
     * @return this move
     */
    RingMove longestCall(Duration time);

    /**
     * Sets how many partitions move at a time. Each one that moves is frozen, and takes a connection to two accounts.
     *
     * @param partitions 1 to 256; the default is 8
     * @return this move
     * @throws IllegalArgumentException if the number is not allowed
     */
    RingMove parallelism(int partitions);

    /**
     * Sets a listener for each partition and blob that was visited.
     *
     * @param listener gets the progress, on the thread of the call
     * @return this move
     */
    RingMove progress(Consumer<? super MoveProgress> listener);

    /**
     * Brings all partitions and blobs to their new accounts. Each one is frozen while it is copied: reads go on, writes wait. Does
     * nothing if the change is finished.
     *
     * @throws StrayEntitiesException if a partition has entities in its new account that no mover has left there
     * @throws IllegalStateException if a table or container of an account is neither added nor left out, or the change is being finished
     * @throws RingMismatchException if the accounts describe another change
     * @throws RingMoveSupersededException if a later mover has begun
     */
    void run();

    /**
     * Brings all partitions and blobs back to their old accounts, and removes what is left in the new ones. Every process gets the ring before the
     * change afterwards.
     *
     * @throws IllegalStateException if the change is being finished
     * @throws RingMismatchException if the accounts describe another change
     * @throws RingMoveSupersededException if a later mover has begun
     */
    void rollback();

    /**
     * Counts the partitions and blobs whose account changes, without writing anything.
     *
     * @return where they are
     */
    Report verify();

    /**
     * Ends the change, unless it is finished: removes what is left in the old accounts. No process may have the ring with the change any longer: those that do are
     * refused.
     *
     * @throws IllegalStateException if not all partitions and blobs are in their new accounts
     * @throws RingMismatchException if the accounts describe another change
     * @throws RingMoveSupersededException if a later mover has begun
     */
    void finish();

    /**
     * The progress of a move.
     *
     * @param table the table, or {@code container} and its name, with the region behind {@code @}
     * @param visited partitions or blobs of the call that were visited, those that were in their account already included
     * @param moved partitions or blobs of the call that were elsewhere
     */
    record MoveProgress(String table, long visited, long moved) {

        /**
         * Holds the figures.
         *
         * @param table the table
         * @param visited partitions or blobs that were visited
         * @param moved partitions or blobs that were elsewhere
         */
        public MoveProgress {
            Objects.requireNonNull(table, "table");
        }

        @Override
        public String toString() {
            return "MoveProgress[table=" + OneLine.of(table) + ", visited=" + visited + ", moved=" + moved + "]";
        }
    }

    /**
     * The places of the partitions and blobs whose account changes. One that is stored in both accounts counts twice.
     *
     * @param atOld those in their old account
     * @param atNew those in their new one
     * @param moving those that were begun and are in between
     */
    record Report(long atOld, long atNew, long moving) {

        /**
         * Returns whether all partitions are in their new accounts.
         *
         * @return whether none is in its old account, or in between
         */
        public boolean isComplete() {
            return atOld == 0 && moving == 0;
        }
    }
}
