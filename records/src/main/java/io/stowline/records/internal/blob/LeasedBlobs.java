package io.stowline.records.internal.blob;

import reactor.core.publisher.Mono;

/** The append blobs of one container, each under a lease while it is written. Thread-safe. */
interface LeasedBlobs {

    /** Returns the largest append, in bytes. */
    int maxAppend();

    /**
     * Creates an append blob unless it is there, and takes it.
     *
     * @return the blob; {@link io.stowline.error.ConflictException} with the code {@code InvalidBlobType} if it is of another type
     */
    Mono<LeasedBlob> begin(String name);

    /**
     * Takes a blob under a new lease: the service refuses every attempt that was sent before. A lease that is there is broken.
     *
     * @return the blob; {@link io.stowline.error.NotFoundException} with the code {@code BlobNotFound} if it is not there
     */
    Mono<LeasedBlob> resume(String name);

    /** An append blob that nothing else writes. One call at a time. */
    interface LeasedBlob {

        String name();

        /** Returns its bytes: behind what it had, and each append since. */
        long length();

        /** Returns the number of appends since it was taken. */
        int appends();

        /** Returns whether the lease is held for certain. */
        boolean isHeld();

        /** Appends at its length, there or nowhere. After an error the blob must be taken again. */
        Mono<Void> append(byte[] bytes);

        /** Returns the MD5 of some of its bytes, in Base64. */
        Mono<String> md5(long position, long length);

        /** Ends the lease, as far as that works. */
        Mono<Void> release();
    }
}
