package io.stowline.batching.internal.batch;

import io.stowline.batching.PredecessorUnknownException;
import java.util.Objects;

/** What became of one item of a batch. Immutable. */
public sealed interface ItemReply<R> {

    /** The item succeeded. */
    record Done<R>(R value) implements ItemReply<R> {

        /** Makes the reply. */
        public Done {
            Objects.requireNonNull(value, "value");
        }
    }

    /**
     * The item failed alone.
     *
     * @param error why
     */
    record Failed<R>(Throwable error) implements ItemReply<R> {

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
     * It is not known whether the item was applied. It fails; of the later items of its entity the
     * {@linkplain BatchDescriptor#conditional conditional} ones fail with a {@link PredecessorUnknownException} and the
     * others wait as long as the reply is {@linkplain BatchReply#heldFor held}. In a group it stands for all items.
     */
    record Unknown<R>(Throwable error) implements ItemReply<R> {

        /** Makes the reply. */
        public Unknown {
            Objects.requireNonNull(error, "error");
        }
    }

    /** The item had no effect because another one failed; it is sent again before all that is queued behind it. */
    record Unsent<R>() implements ItemReply<R> {}
}
