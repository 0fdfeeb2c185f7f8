package io.stowline.queue.internal.poison;

import com.azure.json.JsonProviders;
import com.azure.json.JsonWriter;
import com.azure.storage.queue.QueueMessageEncoding;
import io.stowline.error.internal.PrintableText;
import io.stowline.queue.MessageCodec;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.queue.internal.body.BodyFormat;
import io.stowline.queue.internal.body.Gzip;
import io.stowline.queue.internal.body.ReceivedText;
import io.stowline.queue.internal.rule.QueueTimeLimits;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A message of a poison queue. It is JSON that holds the body of the message, where it comes from and why it is there. A body for which that
 * leaves no room is compressed; one that is still too large is the message itself, without the rest. Immutable.
 *
 * @param queue the queue that the message comes from, or {@code null} if that is not known
 * @param id its id there, or {@code null}
 * @param reason why it is poison, or {@code null}
 * @param error what its last handling threw, or {@code null}
 * @param deliveries how often it was received, or 0
 * @param failures how many of its handlings one process has seen fail, or 0
 * @param insertedAt when it was sent, or {@code null}
 * @param timeToLive how long it was to be kept there, or {@code null}
 * @param poisonedAt when it became poison, or {@code null}
 * @param body its text; that of the copy if it is damaged
 * @param damaged whether the copy has lost the body of the message
 */
public record PoisonEnvelope(
        @Nullable String queue,
        @Nullable String id,
        @Nullable String reason,
        @Nullable String error,
        long deliveries,
        int failures,
        @Nullable Instant insertedAt,
        @Nullable Duration timeToLive,
        @Nullable Instant poisonedAt,
        String body,
        boolean damaged) {

    private static final String VERSION_MEMBER = ReceivedText.POISON_MEMBER;
    private static final int VERSION = 1;
    private static final String GZIP = "gzip";

    /** Far more than a message can have been, so that a hostile text cannot fill the memory. */
    private static final int MAX_BODY = 1 << 20;

    /** The longest reason and the longest error, in characters; an error is cut before, with an ellipsis. */
    private static final int MAX_NOTE = 1_100;

    private static final BodyFormat<String> TEXT = new BodyFormat<>(MessageCodec.text(), QueueMessageEncoding.NONE);

    /**
     * Returns the copy of a message.
     *
     * @param now when it became poison
     */
    public static PoisonEnvelope of(PoisonNote note, Instant now) {
        MessageHeader header = note.message().header();
        return new PoisonEnvelope(
                header.queue(),
                header.id(),
                legible(note.reason()),
                legible(note.error()),
                header.dequeueCount(),
                note.failures(),
                header.insertedAt(),
                header.timeToLive(),
                now,
                note.message().raw(),
                false);
    }

    /** Cut to one line for a log, with a replacement for characters that XML 1.0 cannot carry. */
    private static @Nullable String legible(@Nullable String text) {
        if (text == null) {
            return null;
        }
        StringBuilder legible = new StringBuilder();
        text.codePoints()
                .limit(MAX_NOTE)
                .map(c -> (c >= 0xD800 && c <= 0xDFFF) || c == 0xFFFE || c == 0xFFFF ? 0xFFFD : c)
                .forEach(legible::appendCodePoint);
        return PrintableText.of(legible.toString());
    }

    /** Returns the text of the message for the poison queue. */
    public String text() {
        String plain = fitting(json(body, null));
        if (plain != null) {
            return plain;
        }
        String compressed = fitting(json(compressed(body), GZIP));
        return compressed == null ? body : compressed;
    }

    private static @Nullable String fitting(String text) {
        try {
            return TEXT.write(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private String json(String text, @Nullable String bodyEncoding) {
        StringWriter target = new StringWriter();
        try (JsonWriter json = JsonProviders.createWriter(target)) {
            json.writeStartObject()
                    .writeIntField(VERSION_MEMBER, VERSION)
                    .writeStringField("queue", queue)
                    .writeStringField("id", id)
                    .writeStringField("reason", reason)
                    .writeStringField("error", error)
                    .writeLongField("deliveries", deliveries)
                    .writeIntField("failures", failures)
                    .writeStringField("insertedAt", insertedAt == null ? null : insertedAt.toString())
                    .writeStringField("timeToLive", timeToLive == null ? null : timeToLive.toString())
                    .writeStringField("poisonedAt", poisonedAt == null ? null : poisonedAt.toString())
                    .writeStringField("bodyEncoding", bodyEncoding)
                    .writeStringField("body", text)
                    .writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return target.toString();
    }

    /**
     * Reads a message of a poison queue, also one that a tool has put there again, in Base64 or behind a byte order mark.
     *
     * @return its content; a text that is no such envelope is a body without the rest
     */
    public static PoisonEnvelope read(String text) {
        Map<String, String> fields = fields(text);
        if (!fields.containsKey(VERSION_MEMBER)) {
            return new PoisonEnvelope(null, null, null, null, 0, 0, null, null, null, text, false);
        }
        String body = body(fields);
        return new PoisonEnvelope(
                legible(fields.get("queue")),
                legible(fields.get("id")),
                legible(fields.get("reason")),
                legible(fields.get("error")),
                number(fields.get("deliveries")),
                (int) Math.max(0, Math.min(Integer.MAX_VALUE, number(fields.get("failures")))),
                parsed(fields.get("insertedAt"), Instant::parse),
                parsed(fields.get("timeToLive"), PoisonEnvelope::duration),
                parsed(fields.get("poisonedAt"), Instant::parse),
                body == null ? text : body,
                body == null);
    }

    private static Map<String, String> fields(String text) {
        String json = ReceivedText.json(text);
        if (json == null || !json.contains(VERSION_MEMBER)) {
            return Map.of();
        }
        try {
            return ReceivedText.members(json);
        } catch (IOException | IllegalStateException e) {
            return json.startsWith("{\"" + VERSION_MEMBER + "\"") ? Map.of(VERSION_MEMBER, "") : Map.of();
        }
    }

    private static @Nullable String body(Map<String, String> fields) {
        String body = fields.get("body");
        String encoding = fields.get("bodyEncoding");
        if (body == null || encoding == null) {
            return body;
        }
        return encoding.equals(GZIP) ? expanded(body) : null;
    }

    private static long number(@Nullable String digits) {
        return Objects.requireNonNullElse(parsed(digits, Long::valueOf), 0L);
    }

    /** A duration that no queue takes counts as none. */
    private static Duration duration(String text) {
        Duration time = Duration.parse(text);
        return QueueTimeLimits.NEVER.equals(time) ? time : QueueTimeLimits.timeToLive(time);
    }

    private static <V> @Nullable V parsed(@Nullable String text, Function<String, V> parser) {
        try {
            return text == null ? null : parser.apply(text);
        } catch (DateTimeException | IllegalArgumentException e) {
            return null;
        }
    }

    private static String compressed(String text) {
        return Base64.getEncoder().encodeToString(Gzip.compress(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static @Nullable String expanded(String text) {
        try {
            byte[] expanded = Gzip.expand(Base64.getDecoder().decode(text), MAX_BODY);
            return expanded == null ? null : new String(expanded, StandardCharsets.UTF_8);
        } catch (IOException | IllegalArgumentException e) {
            return null;
        }
    }

    @Override
    public String toString() {
        return "PoisonEnvelope[" + queue + "(" + id + "), " + reason + "]";
    }
}
