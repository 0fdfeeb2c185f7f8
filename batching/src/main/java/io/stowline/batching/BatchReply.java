package io.stowline.batching;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * How a batch ended. Immutable.
 *
 * @param <R> the type of an item's result
 */
public sealed interface BatchReply<R> {

    /**
     * The batch was answered item by item. A part that is missing or null fails its item with a
     * {@link BatchProtocolException}; parts beyond the items are counted.
     *
     * @param <R> the type of an item's result
     * @param replies the parts in the order of the batch's items
     */
    record PerItem<R>(List<ItemReply<R>> replies) implements BatchReply<R> {

        /**
         * Makes the reply with a copy of the list.
         *
         * @param replies the parts
         */
        public PerItem {
            replies = Collections.unmodifiableList(new ArrayList<>(replies));
        }
    }

    /**
     * The service refused the size of the request: it is halved at once. A batch of one item, or a group, fails.
     *
     * @param <R> the type of an item's result
     * @param cause why
     */
    record TooLarge<R>(Throwable cause) implements BatchReply<R> {

        /**
         * Makes the reply.
         *
         * @param cause why
         */
        public TooLarge {
            Objects.requireNonNull(cause, "cause");
        }
    }

    /**
     * All items failed.
     *
     * @param <R> the type of an item's result
     * @param error why
     */
    record Failed<R>(Throwable error) implements BatchReply<R> {

        /**
         * Makes the reply.
         *
         * @param error why
         */
        public Failed {
            Objects.requireNonNull(error, "error");
        }
    }

    /**
     * All items failed, and so will all later ones: every writer with an item in the batch breaks.
     *
     * @param <R> the type of an item's result
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
}
