package io.stowline.blob.internal.directory;

import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import reactor.core.publisher.Mono;

/**
 * What is to be done about one name. Immutable.
 *
 * @param name the name below the directory
 * @param bytes how much content is to travel
 * @param weight how many blobs or blocks it counts for in flight; 0 where nothing waits
 * @param work gives the end; empty if there is nothing to do after all
 */
record TransferStep(String name, long bytes, int weight, Mono<Item> work) {

    private static final long BLOCK = 8L * 1024 * 1024;

    /** Blocks that one blob has in flight. */
    private static final int MOST_BLOCKS = 4;

    /** A name about which nothing is to be done. */
    static TransferStep ended(String name, Action action) {
        return new TransferStep(name, 0, 0, Mono.just(new Item(name, action, 0, null)));
    }

    /** A name that is left alone although it would take part. */
    static TransferStep skipped(String name, Exception why) {
        return new TransferStep(name, 0, 0, Mono.just(new Item(name, Action.SKIPPED, 0, why)));
    }

    static TransferStep failed(String name, Throwable error) {
        return new TransferStep(name, 0, 0, Mono.error(error));
    }

    /** A name whose work moves content. */
    static TransferStep moving(String name, long bytes, Mono<Item> work) {
        return new TransferStep(name, bytes, (int) Math.min(MOST_BLOCKS, 1 + bytes / BLOCK), work);
    }

    /** A name whose work moves none. */
    static TransferStep still(String name, Mono<Item> work) {
        return new TransferStep(name, 0, 1, work);
    }
}
