package io.stowline.batching.internal.batch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** The end of a batch. Immutable. */
public sealed interface BatchReply<R> {

    /**
     * Returns this reply with the demand that the entities of the batch stay reserved from now on: a write whose
     * response was lost may still be applied, and must not land on top of a later one. Later items of these entities,
     * and items of the batch that are sent again, wait until then.
     *
     * @param time how long, from the time when the engine gets the reply; zero or more, at most one day
     * @return the reply; of two times the longer one counts
     * @throws IllegalArgumentException if the time is out of range
     */
    default BatchReply<R> reservedFor(Duration time) {
        return time.isZero() ? this : new ReservedBatch<>(this, time);
    }

    /**
     * Returns this reply with the note that the service had trouble with the load, for instance throttled or timed out
     * on the way to it: the next batches of the lane are smaller, until enough of them have gone well.
     */
    default BatchReply<R> strained() {
        return new Strained<>(this);
    }

    /**
     * The reply with a part for each item. A part that is missing or null fails its
     * item; parts beyond the items are counted.
     *
     * @param replies the parts in the order of the batch's items
     */
    record PerItem<R>(List<ItemReply<R>> replies) implements BatchReply<R> {

        /** Makes the reply with a copy of the list. */
        public PerItem {
            replies = Collections.unmodifiableList(new ArrayList<>(Objects.requireNonNull(replies, "replies")));
        }
    }

    /**
     * The reply with the result of each item, all of which succeeded: as {@link PerItem} without an object for each.
     *
     * @param results the results in the order of the batch's items; not copied, not to be changed
     */
    record AllDone<R>(List<R> results) implements BatchReply<R> {

        /** Makes the reply. */
        public AllDone {
            Objects.requireNonNull(results, "results");
        }

        /** Returns the same reply with a part for each item. */
        public PerItem<R> perItem() {
            List<ItemReply<R>> replies = new ArrayList<>(results.size());
            for (R result : results) {
                replies.add(new ItemReply.ItemDone<>(result));
            }
            return new PerItem<>(replies);
        }
    }

    /**
     * The reply for a batch that was too much for the service and had no effect: its size was refused, or the service could not do it in
     * time, which is certain to have come to nothing. It is halved at once, and so are the next batches of the lane, until
     * enough of them have gone well. A batch of one item, or a group, fails.
     *
     * @param cause why
     * @param unresolved whether an earlier attempt may have been applied; a cancel then gives up the caller only, as one of an item in flight
     */
    record TooLarge<R>(Throwable cause, boolean unresolved) implements BatchReply<R> {

        /**
         * Makes the reply.
         *
         * @param cause why
         * @param unresolved whether an attempt before may have been applied
         */
        public TooLarge {
            Objects.requireNonNull(cause, "cause");
        }

        /**
         * Makes the reply for a batch of which nothing has been applied.
         *
         * @param cause why
         */
        public TooLarge(Throwable cause) {
            this(cause, false);
        }
    }

    /**
     * The batch had no effect, and there was no time to send it once more before the first of its items must have its end.
     * Items that have no time for it either fail with {@code BatcherErrors.deliveryTimeout}. The others are sent again after a
     * pause, in which their lane sends nothing, and before all that is queued behind them. A group fails with the cause.
     *
     * @param cause what the last attempt ended with
     * @param pause the time before the next attempt, zero or more, at most one day
     * @param min the least time that must be left then, zero or more, at most one day
     */
    record Late<R>(Throwable cause, Duration pause, Duration min) implements BatchReply<R> {

        /**
         * Makes the reply.
         *
         * @param cause what the last attempt ended with
         * @param pause the time before the next attempt
         * @param min the least time that must be left then
         * @throws IllegalArgumentException if a time is out of range
         */
        public Late {
            Objects.requireNonNull(cause, "cause");
            BatchingBounds.between("pause", Objects.requireNonNull(pause, "pause"), Duration.ZERO, ReservedBatch.MAX);
            BatchingBounds.between("min", Objects.requireNonNull(min, "min"), Duration.ZERO, ReservedBatch.MAX);
        }
    }

    /**
     * All items failed.
     *
     * @param error why
     */
    record BatchFailed<R>(Throwable error) implements BatchReply<R> {

        /**
         * Makes the reply.
         *
         * @param error why
         */
        public BatchFailed {
            Objects.requireNonNull(error, "error");
        }
    }

    /**
     * All items failed, and so will all later ones: every writer with an item in the batch breaks.
     *
     * @param error why
     */
    record Doomed<R>(Throwable error) implements BatchReply<R> {

        /**
         * Makes the reply.
         *
         * @param error why
         */
        public Doomed {
            Objects.requireNonNull(error, "error");
        }
    }

    /**
     * The reply for a batch without an end, whose items have unlimited time: it is sent again unchanged, after a pause in which
     * its entities stay reserved. Items whose time is over by then fail. A group fails.
     *
     * @param cause what is in the way
     * @param pause how long it waits before it is sent again, zero or more, at most one day
     * @param unresolved whether it may have been applied; a cancel then gives up the caller only, as one of an item in flight
     */
    record Postponed<R>(Throwable cause, Duration pause, boolean unresolved) implements BatchReply<R> {

        /**
         * Makes the reply.
         *
         * @param cause what is in the way
         * @param pause how long it waits before it is sent again, zero or more, at most one day
         * @param unresolved whether it may have been applied
         * @throws IllegalArgumentException if the pause is out of range
         */
        public Postponed {
            Objects.requireNonNull(cause, "cause");
            BatchingBounds.between("pause", Objects.requireNonNull(pause, "pause"), Duration.ZERO, ReservedBatch.MAX);
        }
    }

    /** An unknown outcome of the batch: as {@link ItemReply.ItemUnknown} for every item. */
    record BatchUnknown<R>(Throwable error) implements BatchReply<R> {

        /** Makes the reply. */
        public BatchUnknown {
            Objects.requireNonNull(error, "error");
        }
    }

    /**
     * A reply after which the entities of the batch stay reserved; see {@link BatchReply#reservedFor}.
     *
     * @param reply how the batch ended; a reserving reply itself is unwrapped
     * @param time how long the entities stay reserved
     */
    record ReservedBatch<R>(BatchReply<R> reply, Duration time) implements BatchReply<R> {

        static final Duration MAX = Duration.ofDays(1);

        /**
         * Makes the reply.
         *
         * @param reply how the batch ended
         * @param time how long the entities stay reserved, zero or more, at most one day
         * @throws IllegalArgumentException if the time is out of range
         */
        public ReservedBatch {
            BatchingBounds.between("time", time, Duration.ZERO, MAX);
            Objects.requireNonNull(reply, "reply");
            boolean strained = false;
            while (reply instanceof ReservedBatch<R> || reply instanceof Strained<R>) {
                if (reply instanceof ReservedBatch<R> inner) {
                    time = inner.time.compareTo(time) > 0 ? inner.time : time;
                    reply = inner.reply;
                } else if (reply instanceof Strained<R> inner) {
                    strained = true;
                    reply = inner.reply;
                }
            }
            reply = strained ? new Strained<>(reply) : reply;
        }
    }

    /**
     * A reply to a batch that the service had trouble with; see {@link BatchReply#strained}.
     *
     * @param reply how the batch ended
     */
    record Strained<R>(BatchReply<R> reply) implements BatchReply<R> {

        /**
         * Makes the reply.
         *
         * @param reply how the batch ended
         */
        public Strained {
            Objects.requireNonNull(reply, "reply");
        }
    }

    /** The end of one item of a batch. Immutable. */
    sealed interface ItemReply<R> {

        /** The item succeeded. */
        record ItemDone<R>(R value) implements ItemReply<R> {

            /** Makes the reply. */
            public ItemDone {
                Objects.requireNonNull(value, "value");
            }
        }

        /**
         * The item failed alone.
         *
         * @param error why
         */
        record ItemFailed<R>(Throwable error) implements ItemReply<R> {

            /**
             * Makes the reply.
             *
             * @param error why
             */
            public ItemFailed {
                Objects.requireNonNull(error, "error");
            }
        }

        /**
         * An unknown outcome of the item. It fails; of the later items of its entity the {@linkplain
         * BatchDescriptor#conditional conditional} ones fail with {@code BatcherErrors.predecessorUnknown} and the others
         * wait as long as the reply is {@linkplain BatchReply#reservedFor reserving}. In a group it stands for all items.
         */
        record ItemUnknown<R>(Throwable error) implements ItemReply<R> {

            /** Makes the reply. */
            public ItemUnknown {
                Objects.requireNonNull(error, "error");
            }
        }

        /** The item had no effect because another one failed; it is sent again before all that is queued behind it. */
        record Unsent<R>() implements ItemReply<R> {}
    }
}
