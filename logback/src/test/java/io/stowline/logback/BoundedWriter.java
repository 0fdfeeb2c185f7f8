package io.stowline.logback;

import io.stowline.error.ClosedException;
import io.stowline.error.StorageException;
import io.stowline.records.FailedRecords;
import io.stowline.records.ReactiveRecordWriter;
import io.stowline.records.RecordWriter;
import io.stowline.table.BufferFullException;
import io.stowline.table.FlushReport;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** A writer in memory with room for a number of events, which a test gives and takes. Thread-safe. */
public class BoundedWriter implements RecordWriter<byte[]> {

    private final List<String> records = new ArrayList<>();
    private final List<String> waits = new ArrayList<>();
    private int room = Integer.MAX_VALUE;
    private boolean closed;
    private RuntimeException refusal;
    private Consumer<String> inside = text -> {};

    synchronized void room(int events) {
        room = events;
    }

    synchronized void refuse(RuntimeException by) {
        refusal = by;
    }

    /** Sets what a write does besides, such as logging. */
    synchronized void inside(Consumer<String> work) {
        inside = work;
    }

    synchronized List<String> records() {
        return List.copyOf(records);
    }

    /** Returns the threads of the writes that were allowed to wait. */
    synchronized List<String> waits() {
        return List.copyOf(waits);
    }

    synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public void write(byte[] event) {
        synchronized (this) {
            waits.add(Thread.currentThread().getName());
        }
        take(event);
    }

    private void take(byte[] event) {
        String text = new String(event, StandardCharsets.UTF_8);
        inside.accept(text);
        synchronized (this) {
            if (closed) {
                throw new ClosedException("the writer is closed");
            }
            if (refusal != null) {
                throw refusal;
            }
            if (records.size() >= room) {
                throw new BufferFullException("room for " + room + " events");
            }
            records.add(text);
        }
    }

    @Override
    public RecordWriter<byte[]> failingFast() {
        return new BoundedWriter() {
            @Override
            public void write(byte[] event) {
                BoundedWriter.this.take(event);
            }
        };
    }

    @Override
    public ReactiveRecordWriter<byte[]> reactive() {
        return new ReactiveRecordWriter<>() {
            @Override
            public Mono<Void> write(byte[] event) {
                return Mono.fromRunnable(() -> take(event));
            }

            @Override
            public Mono<Long> writeAll(Publisher<? extends byte[]> events) {
                throw new UnsupportedOperationException();
            }

            @Override
            public Mono<FlushReport> flush() {
                throw new UnsupportedOperationException();
            }

            @Override
            public Mono<FlushReport> awaitReplay() {
                throw new UnsupportedOperationException();
            }

            @Override
            public Mono<Void> close() {
                throw new UnsupportedOperationException();
            }
        };
    }

    @Override
    public FlushReport flush() {
        throw new UnsupportedOperationException();
    }

    @Override
    public FlushReport awaitReplay() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<StorageException> pausedBy() {
        return Optional.empty();
    }

    @Override
    public synchronized RecordProgress progress() {
        return new RecordProgress(records.size(), 0, 0, records.size(), 0, 0, 0);
    }

    @Override
    public List<FailedRecords> takeFailures() {
        return List.of();
    }

    @Override
    public synchronized void close() {
        closed = true;
    }
}
