package io.stowline.records.internal.read;

import io.stowline.records.RecordStream.ReadBlob;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The latest blobs that a reader has read, and the listener of all of them. Thread-safe. */
final class ReadBlobs implements Consumer<ReadBlob> {

    private static final int KEPT = 10_000;

    private final Deque<ReadBlob> latest = new ArrayDeque<>();
    private final Optional<Consumer<? super ReadBlob>> listener;

    ReadBlobs(Optional<Consumer<? super ReadBlob>> listener) {
        this.listener = listener;
    }

    @Override
    public void accept(ReadBlob blob) {
        synchronized (latest) {
            if (latest.size() == KEPT) {
                latest.poll();
            }
            latest.add(blob);
        }
        listener.ifPresent(consumer -> consumer.accept(blob));
    }

    List<ReadBlob> latest() {
        synchronized (latest) {
            return List.copyOf(latest);
        }
    }
}
