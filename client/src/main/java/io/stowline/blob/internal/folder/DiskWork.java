package io.stowline.blob.internal.folder;

import io.stowline.blob.internal.base.BlockingTask;
import io.stowline.blob.internal.base.BlockingTask.StreamFailure;
import java.io.IOException;
import reactor.core.publisher.Mono;

/** Work of a transfer that may wait for the disk. */
@FunctionalInterface
public interface DiskWork<T> {

    T run() throws IOException;

    /**
     * Returns the work on a thread that may block; it fails with an {@link java.io.UncheckedIOException}.
     *
     * @param what the transfer, for the error
     */
    static <T> Mono<T> later(String what, DiskWork<T> work) {
        return BlockingTask.call(() -> {
            try {
                return work.run();
            } catch (IOException e) {
                throw StreamFailure.of(what + ": " + e, e);
            }
        });
    }
}
