package io.stowline.spring.boot.records;

import io.stowline.records.RecordWriterSettings;
import io.stowline.spring.boot.account.PropertyValue;
import io.stowline.spring.boot.autoconfigure.StowlineProperties;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The properties of one writer of records. A property that is not set leaves the default of {@link RecordWriterSettings} in force. Immutable
 * and thread-safe.
 *
 * @param container Container of the blobs.
 * @param account Name of the account of the container, as below stowline.accounts; the default account unless it is set.
 * @param prefix Begin of all blob names; the name of the writer and a slash unless it is set.
 * @param type Class of the records, which are JSON lines then; without it they are lines of text.
 * @param gzip Whether blobs are compressed.
 * @param header Line at the begin of each blob.
 * @param upTo Size of a chunk, before compression.
 * @param every Interval of UTC time that a chunk is for.
 * @param buckets Number of folders below the prefix.
 * @param bufferRecords Number of records that are accepted and in no blob; with a journal none unless it is set.
 * @param bufferSize Size of these records; with a journal the journal's max-size counts.
 * @param submitTimeout How long a write waits for room.
 * @param deliveryTimeout Time from its end in which a chunk must be in its blob; with a journal none unless it is set.
 * @param closeTimeout How long closing the writer waits for what is buffered.
 * @param appendBlobs Whether chunks are appended to append blobs.
 * @param linger How long a chunk of an append blob waits for more records.
 * @param rollAt Size at which an append blob ends.
 * @param journal Settings of the writer's own journal.
 */
record RecordWriterProperties(
        @Nullable String container,
        @Nullable String account,
        @Nullable String prefix,
        @Nullable Class<?> type,
        @DefaultValue("false") boolean gzip,
        @Nullable String header,
        @Nullable DataSize upTo,
        @Nullable Duration every,
        @Nullable Integer buckets,
        @Nullable Integer bufferRecords,
        @Nullable DataSize bufferSize,
        @Nullable Duration submitTimeout,
        @Nullable Duration deliveryTimeout,
        @Nullable Duration closeTimeout,
        @DefaultValue("false") boolean appendBlobs,
        @Nullable Duration linger,
        @Nullable DataSize rollAt,
        @DefaultValue StowlineProperties.Journal journal) {

    static final String PREFIX = "stowline.records";

    /** Hands each property that is set to the builder, which checks it. */
    RecordWriterSettings.Builder into(RecordWriterSettings.Builder settings, String name) {
        Applied properties = new Applied(PREFIX + "." + name);
        properties.set("up-to", upTo, size -> settings.upTo((int) Math.min(size.toBytes(), Integer.MAX_VALUE)));
        properties.set("every", every, settings::every);
        properties.set("buckets", buckets, settings::buckets);
        properties.set("buffer-records", bufferRecords, settings::bufferRecords);
        properties.set("buffer-size", bufferSize, size -> settings.bufferBytes(size.toBytes()));
        properties.set("submit-timeout", submitTimeout, settings::submitTimeout);
        properties.set("delivery-timeout", deliveryTimeout, settings::deliveryTimeout);
        properties.set("close-timeout", closeTimeout, settings::closeTimeout);
        properties.set("linger", linger, time -> forAppendBlobs());
        properties.set("roll-at", rollAt, size -> forAppendBlobs());
        if (appendBlobs) {
            settings.appendBlobs(append -> {
                properties.set("linger", linger, append::linger);
                properties.set("roll-at", rollAt, size -> append.rollAt(size.toBytes()));
                return append;
            });
        }
        return settings;
    }

    private boolean forAppendBlobs() {
        if (!appendBlobs) {
            throw new IllegalArgumentException("it is for append blobs, and 'append-blobs' is not 'true'");
        }
        return true;
    }

    /** The properties below a prefix on their way into a builder. */
    private record Applied(String prefix) {

        <V> void set(String name, @Nullable V value, Function<V, ?> setter) {
            if (value != null) {
                new PropertyValue<>(prefix + "." + name, value).into(setter);
            }
        }
    }
}
