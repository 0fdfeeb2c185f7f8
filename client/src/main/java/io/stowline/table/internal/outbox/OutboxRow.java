package io.stowline.table.internal.outbox;

import io.stowline.table.Entity;
import io.stowline.table.internal.codec.EntityObjectCodec;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.write.TableOperations;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A row of an outbox: a message with its queue, or the fence of a transaction that was not committed in time.
 *
 * @param rowKey its key in the partition
 * @param queue the queue of the message, or {@code null} for a fence
 * @param text the text of the message
 * @param delay how long it stays hidden once it is sent, or {@code null} for not at all
 * @param timeToLive how long it is kept once it is sent, or {@code null} for the service's default
 */
record OutboxRow(
        String partitionKey,
        String rowKey,
        @Nullable String queue,
        String text,
        @Nullable Duration delay,
        @Nullable Duration timeToLive) {

    static final EntityObjectCodec CODEC = new EntityObjectCodec(null);

    private static final String QUEUE = "Queue";
    /** In binary form, which takes 64 KiB; as text it would take half of them. */
    private static final String TEXT = "Text";

    private static final String DELAY = "Delay";
    private static final String TIME_TO_LIVE = "TimeToLive";

    static OutboxRow fence(String partitionKey, String rowKey) {
        return new OutboxRow(partitionKey, rowKey, null, "", null, null);
    }

    static OutboxRow of(Entity entity) {
        byte[] text = entity.get(TEXT, byte[].class);
        return new OutboxRow(
                entity.partitionKey(),
                entity.rowKey(),
                entity.get(QUEUE, String.class),
                text == null ? "" : new String(text, StandardCharsets.UTF_8),
                seconds(entity, DELAY),
                seconds(entity, TIME_TO_LIVE));
    }

    private static @Nullable Duration seconds(Entity entity, String name) {
        Long seconds = entity.get(name, Long.class);
        return seconds == null ? null : Duration.ofSeconds(seconds);
    }

    boolean isFence() {
        return queue == null;
    }

    /** Returns the queue of a message. */
    String target() {
        return Objects.requireNonNull(queue, "the queue of a message");
    }

    /** Encodes the insert, which a row with the same key refuses. */
    EncodedOperation insert(TableOperations operations) {
        Entity.Builder entity = Entity.builder(partitionKey, rowKey);
        if (queue != null) {
            entity.set(QUEUE, queue).set(TEXT, text.getBytes(StandardCharsets.UTF_8));
        }
        if (delay != null) {
            entity.set(DELAY, delay.toSeconds());
        }
        if (timeToLive != null) {
            entity.set(TIME_TO_LIVE, timeToLive.toSeconds());
        }
        return operations.encoder().encode(EntityVerb.INSERT, entity.build(), CODEC, null);
    }

    EncodedOperation delete(TableOperations operations) {
        return operations.encoder().delete(partitionKey, rowKey, "*");
    }
}
