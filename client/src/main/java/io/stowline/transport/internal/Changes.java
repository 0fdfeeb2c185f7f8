package io.stowline.transport.internal;

/** What a write may have changed, for whoever keeps what was read. Asked only if there is somebody. */
@FunctionalInterface
public interface Changes {

    /**
     * Tells what may have changed.
     *
     * @param kept is told of it
     */
    void tell(Kept kept);

    /** What was read before, and is kept under the addresses of what was read. */
    interface Kept {

        /**
         * One thing may have changed.
         *
         * @param address its address, without a query
         */
        void changed(String address);

        /**
         * Whatever is there may have changed.
         *
         * @param beginning how the addresses begin
         */
        void allChanged(String beginning);
    }
}
