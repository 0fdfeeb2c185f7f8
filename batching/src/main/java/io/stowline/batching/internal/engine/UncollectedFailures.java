package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.writer.FailedItem;
import io.stowline.batching.internal.writer.UncollectedItems;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The failures whose results were not taken: the first with their items, up to a number of bytes, and all by number; under
 * the engine's lock.
 */
final class UncollectedFailures<R> {

    private static final int MAX = 1_000;

    /** The part of the buffer's bytes that they may take. */
    private static final int SHARE = 8;

    private final WriterBuffer<?, ?, R> buffer;
    private final long maxBytes;
    private final Map<EngineSubmission<R>, KeptFailure> first = new LinkedHashMap<>();
    private final Map<Class<?>, Long> kinds = new HashMap<>();
    private long bytes;

    private record KeptFailure(FailedItem failure, int bytes) {}

    /** Keeps failures in the room of a buffer of so many bytes. */
    UncollectedFailures(WriterBuffer<?, ?, R> buffer, long bufferBytes) {
        this.buffer = buffer;
        this.maxBytes = bufferBytes / SHARE;
    }

    void add(EngineSubmission<R> submission, Object item, Throwable cause) {
        submission.uncollected = cause;
        kinds.merge(cause.getClass(), 1L, Long::sum);
        int size = submission.bytes();
        boolean fits = first.isEmpty() || bytes + size <= maxBytes;
        if (first.size() < MAX && fits) {
            first.put(submission, new KeptFailure(new FailedItem(item, cause), size));
            hold(bytes + size);
        }
    }

    void remove(EngineSubmission<R> submission) {
        Throwable cause = submission.uncollected;
        if (cause == null) {
            return;
        }
        submission.uncollected = null;
        KeptFailure kept = first.remove(submission);
        hold(kept == null ? bytes : bytes - kept.bytes());
        kinds.computeIfPresent(cause.getClass(), (kind, count) -> count == 1 ? null : count - 1);
    }

    boolean isEmpty() {
        return kinds.isEmpty();
    }

    /** Takes all of them, which are forgotten; null if there is none. */
    @Nullable
    UncollectedItems poll() {
        UncollectedItems report = kinds.isEmpty()
                ? null
                : new UncollectedItems(
                        first.values().stream().map(KeptFailure::failure).toList(), kinds);
        first.keySet().forEach(submission -> submission.uncollected = null);
        first.clear();
        kinds.clear();
        hold(0);
        return report;
    }

    private void hold(long size) {
        bytes = size;
        buffer.keepFailures(size);
    }
}
