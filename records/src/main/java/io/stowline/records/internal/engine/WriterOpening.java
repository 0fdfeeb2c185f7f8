package io.stowline.records.internal.engine;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.journal.Journal;
import io.stowline.records.AppendSettings;
import io.stowline.records.RecordWriter;
import io.stowline.records.RecordWriterSettings;
import io.stowline.records.internal.blob.AppendBlobTarget;
import io.stowline.records.internal.blob.BlockBlobTarget;
import io.stowline.records.internal.blob.ChunkTarget;
import io.stowline.records.internal.chunk.ChunkStore;
import io.stowline.records.internal.chunk.MemoryChunks;
import io.stowline.records.internal.chunk.SpooledChunks;
import io.stowline.records.internal.format.RecordCodec;
import io.stowline.records.internal.name.BlobNames;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The opening of a writer: puts its store, its target, its threads and its engine together. */
public final class WriterOpening {

    private static final Backoff REPETITION = Backoff.of(Duration.ofMillis(500), Duration.ZERO, Duration.ofSeconds(1));

    /** Separate from Reactor's bounded elastic threads: callers that are on all of these may wait for this work. */
    private static final Scheduler WAITING =
            Schedulers.newBoundedElastic(64, Integer.MAX_VALUE, "stowline-records-work", 60, true);

    private WriterOpening() {}

    /**
     * Opens a writer.
     *
     * @throws io.stowline.journal.JournalException if the journal is for something else, in use, or cannot be read
     */
    public static <T> RecordWriter<T> open(
            BlobContainer container, String prefix, RecordCodec<T> codec, RecordWriterSettings settings) {
        BlobNames names = new BlobNames(prefix, settings.buckets(), codec.suffix());
        String writer = container.name() + "/" + prefix;
        ChunkTarget target = target(container, names, codec, settings);
        ChunkStore store = store(
                settings,
                "records in blobs " + container.unwrap().getBlobContainerUrl() + "/" + prefix + "*" + codec.suffix());
        WriterBounds bounds = new WriterBounds(
                writer,
                settings.upTo(),
                settings.every(),
                linger(settings),
                bufferRecords(settings),
                settings.submitTimeout(),
                settings.deliveryTimeout(),
                settings.closeTimeout(),
                settings.onFailure());
        RecordEngine engine = new RecordEngine(bounds, threads(settings), store, target, names::of);
        return new DefaultRecordWriter<>(new WriterHandle(engine, settings.warnAtExit()), codec);
    }

    private static ChunkTarget target(
            BlobContainer container, BlobNames names, RecordCodec<?> codec, RecordWriterSettings settings) {
        AppendSettings append = settings.appendBlobs();
        ReactiveBlobContainer blobs = container.reactive().withRetry(WriterOpening::once);
        return append == null
                ? new BlockBlobTarget(blobs, names, codec)
                : AppendBlobTarget.in(blobs, codec, names::of, append, settings.upTo(), WAITING);
    }

    /**
     * Lets an operation be repeated once, soon: the writer waits between its tries, and learns of an outage by the end of a try. The deadline
     * stays that of the client, since the outcome of a request without a response may take as long as that request lives.
     */
    private static RetrySettings.Builder once(RetrySettings.Builder retry) {
        return retry.backoff(REPETITION).retries(1);
    }

    private static long bufferRecords(RecordWriterSettings settings) {
        Integer records = settings.bufferRecords();
        return records == null ? Long.MAX_VALUE : records;
    }

    private static Duration linger(RecordWriterSettings settings) {
        AppendSettings append = settings.appendBlobs();
        return append == null ? settings.every() : append.linger();
    }

    /** A journal is bound to one format, too: what one process has left is sealed by the next one. */
    private static ChunkStore store(RecordWriterSettings settings, String purpose) {
        Journal journal = settings.journal();
        return journal == null ? new MemoryChunks(settings.bufferBytes()) : SpooledChunks.open(journal, purpose);
    }

    private static WriterThreads threads(RecordWriterSettings settings) {
        Scheduler worker = Schedulers.newSingle("stowline-records", true);
        Executor callbacks = Objects.requireNonNullElse(settings.callbacks(), WAITING::schedule);
        return new WriterThreads(
                Clock.systemUTC(), System::nanoTime, new SecureRandom(), worker, callbacks, WAITING::schedule);
    }
}
