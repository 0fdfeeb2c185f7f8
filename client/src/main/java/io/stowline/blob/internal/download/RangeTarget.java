package io.stowline.blob.internal.download;

import io.stowline.transport.internal.http.BodyPart;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where the bytes of one range go while they arrive, in their order. The calls come one after the other, from I/O threads. */
interface RangeTarget {

    /** The most memory that it holds. */
    int memory();

    /** Takes the next bytes. */
    void add(BodyPart part);

    /**
     * Whether more may come.
     *
     * @param again run once more may come, on any thread, if the answer is no
     */
    default boolean ready(Runnable again) {
        return true;
    }

    /** All of them, or none if they are elsewhere. */
    byte[] bytes();

    /** Chooses the target of a range when its first answer begins. */
    interface Choice {

        /** Memory. */
        Choice MEMORY = (version, size) -> new InMemory(size);

        /**
         * The target of a range of so many bytes; asked for again if there was no memory for it.
         *
         * @param version what the blob is
         */
        RangeTarget of(PinnedVersion version, int size);
    }

    /** An array of its size, which is made when the first bytes are there. */
    final class InMemory implements RangeTarget {

        private final int size;
        private byte @Nullable [] bytes;
        private int filled;

        InMemory(int size) {
            this.size = size;
        }

        @Override
        public int memory() {
            return size;
        }

        @Override
        public void add(BodyPart part) {
            byte[] target = bytes;
            if (target == null) {
                target = new byte[size];
                bytes = target;
            }
            part.copyTo(target, filled);
            filled += part.length();
        }

        @Override
        public byte[] bytes() {
            return Objects.requireNonNull(bytes, "no bytes have arrived");
        }
    }
}
