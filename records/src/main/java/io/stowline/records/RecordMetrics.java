package io.stowline.records;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.stowline.records.RecordWriter.RecordProgress;
import java.util.Objects;
import java.util.function.ToLongFunction;

/**
 * The meters of a {@link RecordWriter}, all with the tag {@code writer}:
 *
 * <pre>
 * stowline.records.accepted          counter    records that the writer has accepted
 * stowline.records.written           counter    records that are in blobs
 * stowline.records.failed            counter    records that failed or were rejected
 * stowline.records.blobs             counter    blobs that were begun
 * stowline.records.bytes             counter    bytes that are in blobs, as they were sent
 * stowline.records.buffered          gauge      records without an end: a crash can lose them without a journal
 * stowline.records.buffered.bytes    gauge      bytes of these records
 * stowline.records.paused            gauge      1 while the service refuses whatever the writer sends, else 0
 * </pre>
 *
 * <pre>{@code
 * void bind(RecordWriter<?> writer, MeterRegistry registry) {
 *     RecordMetrics.of(writer, "activities").bindTo(registry);
 * }
 * }</pre>
 *
 * <p>The meters do not keep the writer from being collected. Needs Micrometer; nothing else of this module does. Immutable and thread-safe.
 */
@SuppressWarnings("exports") // Micrometer is optional: who uses this class requires it
public final class RecordMetrics implements MeterBinder {

    private static final String PREFIX = "stowline.records.";

    private final RecordWriter<?> writer;
    private final Tags tags;

    private RecordMetrics(RecordWriter<?> writer, Tags tags) {
        this.writer = writer;
        this.tags = tags;
    }

    /**
     * Makes the meters of a writer, to be bound to a registry.
     *
     * @param writer the writer
     * @param name the value of the tag {@code writer}, another one for each writer of a registry
     * @param tags further tags
     * @return the meters
     */
    public static RecordMetrics of(RecordWriter<?> writer, String name, Tag... tags) {
        Objects.requireNonNull(writer, "writer");
        Objects.requireNonNull(name, "name");
        return new RecordMetrics(writer, Tags.of(tags).and("writer", name));
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        counter(registry, "accepted", "records that writers have accepted", RecordProgress::accepted);
        counter(registry, "written", "records that are in blobs", RecordProgress::written);
        counter(registry, "failed", "records that failed or were rejected", RecordProgress::failed);
        counter(registry, "blobs", "blobs that were begun", RecordProgress::blobs);
        counter(registry, "bytes", "bytes that are in blobs, as they were sent", RecordProgress::bytes);
        gauge(
                registry,
                "buffered",
                "how many records writers have accepted that have no end: what a crash can lose without a journal",
                each -> each.progress().buffered());
        gauge(registry, "buffered.bytes", "how many bytes these records take", each -> each.progress()
                .bufferedBytes());
        gauge(
                registry,
                "paused",
                "whether the service refuses whatever the writer sends",
                each -> each.pausedBy().isPresent() ? 1 : 0);
    }

    private void counter(
            MeterRegistry registry, String name, String description, ToLongFunction<RecordProgress> count) {
        FunctionCounter.builder(PREFIX + name, writer, each -> count.applyAsLong(each.progress()))
                .description(description)
                .tags(tags)
                .register(registry);
    }

    private void gauge(MeterRegistry registry, String name, String description, ToLongFunction<RecordWriter<?>> value) {
        Gauge.builder(PREFIX + name, writer, value::applyAsLong)
                .description(description)
                .tags(tags)
                .register(registry);
    }
}
