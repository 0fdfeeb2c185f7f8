package io.stowline.blob.internal.directory;

import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The work on one name, or on a group of names. Immutable.
 *
 * @param name the name below the directory, of a group the first one
 * @param blobs the number of its blobs or files
 * @param bytes the bytes of content that travel
 * @param names all of a group, or {@code null}
 * @param weight how many blobs or blocks it counts for in flight; 0 where nothing waits
 * @param work gives the ends; none of a blob without work after all. It is made when the turn of the step has come:
 *     thousands of steps wait for theirs.
 */
record TransferStep(
        String name,
        int blobs,
        @Nullable Supplier<List<String>> names,
        long bytes,
        int weight,
        Supplier<? extends Publisher<Item>> work) {

    private static final long BLOCK = 8L * 1024 * 1024;

    private static final int MAX_BLOCKS = 4;

    /** Returns a name without work. */
    static TransferStep ended(String name, Action action) {
        return one(name, 0, 0, () -> Mono.just(new Item(name, action, 0, null)));
    }

    /** Returns a name that is left alone although it would take part. */
    static TransferStep skipped(String name, Exception why) {
        return one(name, 0, 0, () -> Mono.just(new Item(name, Action.SKIPPED, 0, why)));
    }

    static TransferStep failed(String name, Throwable error) {
        return one(name, 0, 0, () -> Mono.error(error));
    }

    /** Returns a name whose work moves content. */
    static TransferStep moving(String name, long bytes, Supplier<Mono<Item>> work) {
        return one(name, bytes, (int) Math.min(MAX_BLOCKS, 1 + bytes / BLOCK), work);
    }

    /** Returns a name whose work moves none. */
    static TransferStep still(String name, Supplier<Mono<Item>> work) {
        return one(name, 0, 1, work);
    }

    /** Names whose work is done together and moves no content. */
    static TransferStep group(
            String first, int blobs, Supplier<List<String>> names, int weight, Supplier<Flux<Item>> work) {
        return new TransferStep(first, blobs, names, 0, weight, work);
    }

    private static TransferStep one(String name, long bytes, int weight, Supplier<Mono<Item>> work) {
        return new TransferStep(name, 1, null, bytes, weight, work);
    }

    /** Does the work. */
    Mono<List<Item>> ends() {
        return Flux.defer(work).collectList();
    }

    /** Returns the blobs that it may change: none where the end is known. */
    List<String> changes() {
        if (weight == 0) {
            return List.of();
        }
        return names == null ? List.of(name) : names.get();
    }
}
