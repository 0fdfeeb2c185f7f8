package io.stowline.queue.internal;

import com.azure.core.models.CloudEvent;
import com.azure.core.models.CloudEventDataFormat;
import com.azure.core.util.BinaryData;
import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.json.JsonWriter;
import io.stowline.transport.internal.request.RequestIds;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A body in an envelope: a CloudEvent 1.0 in its JSON format. What the library notes of a message are extension attributes: {@code stowline},
 * {@code checkpoint}, {@code failures}, {@code releases}, {@code dataencoding}, {@code dataref}, {@code dataetag} and {@code datahash}. The trace context of
 * the sender is in {@code traceparent} and {@code tracestate}, as the extension Distributed Tracing of CloudEvents names them.
 * Events of other programs are read by {@code EventReader}, and never rewritten. Immutable.
 */
public final class MessageEnvelope {

    private static final String JSON = "application/json";
    private static final String BYTES = "application/octet-stream";
    public static final String VERSION_ATTRIBUTE = "stowline";

    public static final String FOREIGN_BLOB = "it names a blob that cannot hold its body";

    private static final int VERSION = 1;
    private static final String ENCODING = "dataencoding";
    private static final String GZIP = "gzip";
    private static final String REFERENCE = "dataref";
    private static final String ETAG = "dataetag";
    private static final String HASH = "datahash";
    private static final String CHECKPOINT = "checkpoint";
    private static final String FAILURES = "failures";
    private static final String RELEASES = "releases";
    private static final String TRACE_PARENT = "traceparent";
    private static final String TRACE_STATE = "tracestate";
    /**
     * The form of W3C Trace Context, which lets a longer {@code tracestate} be dropped; so is one that JSON would have
     * to escape.
     */
    private static final Pattern PARENT = Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");

    private static final Pattern STATE = Pattern.compile("[ !#-\\[\\]-~]{1,512}");
    private static final Pattern ATTRIBUTE = Pattern.compile("[a-z0-9]{1,20}");
    private static final Pattern ID = Pattern.compile("[0-9A-Za-z-]{1,64}");

    /**
     * A folder with the name of a queue, the id of the event, and a part that distinguishes the bodies of one event.
     */
    private static final Pattern BLOB = Pattern.compile("[0-9a-z-]{3,63}/([0-9A-Za-z-]{1,64})\\.[0-9A-Za-z-]{1,64}");

    /** A strong one in quotes: {@code *} and weak ones name more than one version. */
    private static final Pattern VERSION_OF_BLOB = Pattern.compile("\"[!#-~]{1,128}\"");

    /**
     * The blob that holds a body.
     *
     * @param name its name in the container
     * @param etag its version when the message was written
     * @param hash the SHA-256 of its bytes in Base64, or {@code null} if the message lacks it
     */
    public record Claim(String name, String etag, @Nullable String hash) {

        /** Returns the name of another blob for the body of an event. */
        public static String nameFor(String folder, String id) {
            return folder + "/" + id + "." + RequestIds.next();
        }

        /** Returns whether the blob lies in this folder. */
        public boolean isIn(String folder) {
            return name.startsWith(folder + "/");
        }

        /**
         * True if the library can have written this for the body of an event: it names one blob of that event, in one
         * version.
         */
        private boolean isOf(String id) {
            Matcher parts = BLOB.matcher(name);
            return parts.matches()
                    && parts.group(1).equals(id)
                    && VERSION_OF_BLOB.matcher(etag).matches();
        }
    }

    private final CloudEvent event;
    private final byte @Nullable [] foreignBody;
    private final @Nullable String damage;

    private MessageEnvelope(CloudEvent event) {
        this(event, null, null);
    }

    private MessageEnvelope(CloudEvent event, byte @Nullable [] foreignBody, @Nullable String damage) {
        this.event = event;
        this.foreignBody = foreignBody;
        this.damage = damage;
    }

    /**
     * Returns a new envelope.
     *
     * @param id the id of the event
     * @param source the queue
     * @param body the bytes of the codec, or those in compressed form; {@code null} if a blob holds them
     * @param json whether the codec writes JSON
     * @param compressed whether the body is compressed
     */
    public static MessageEnvelope of(
            String id, String source, String type, byte @Nullable [] body, boolean json, boolean compressed) {
        CloudEvent event = event(source, type, body, json ? JSON : BYTES, compressed);
        event.setId(id).addExtensionAttribute(VERSION_ATTRIBUTE, VERSION);
        if (compressed) {
            event.addExtensionAttribute(ENCODING, GZIP);
        }
        return new MessageEnvelope(event);
    }

    private static CloudEvent event(
            String source, String type, byte @Nullable [] body, @Nullable String contentType, boolean compressed) {
        CloudEventDataFormat format =
                JSON.equals(contentType) && !compressed ? CloudEventDataFormat.JSON : CloudEventDataFormat.BYTES;
        BinaryData data = body == null ? null : BinaryData.fromBytes(body);
        return new CloudEvent(source, type, data, data == null ? null : format, contentType);
    }

    /**
     * Reads an event of the library.
     *
     * @param json the text, without Base64
     * @return the envelope, or {@code null} if it is none that the library can have written
     */
    public static @Nullable MessageEnvelope readOwn(String json) {
        try (JsonReader reader = JsonProviders.createReader(json)) {
            CloudEvent event = CloudEvent.fromJson(reader);
            if (event.getId() == null || event.getSource() == null || event.getType() == null) {
                return null;
            }
            MessageEnvelope envelope = new MessageEnvelope(event);
            return envelope.isOwn() ? envelope : null;
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    /** Returns an event of another program. */
    public static MessageEnvelope foreign(byte[] body, Map<String, String> attributes) {
        CloudEvent event = event("", "", null, null, false);
        for (String name : List.of(TRACE_PARENT, TRACE_STATE)) {
            String value = attributes.get(name);
            if (value != null) {
                event.addExtensionAttribute(name, value);
            }
        }
        return new MessageEnvelope(event, body, null);
    }

    /**
     * Returns an event whose body cannot be read.
     *
     * @param damage why, without any part of the event
     */
    public static MessageEnvelope damaged(String damage) {
        return new MessageEnvelope(event("", "", null, null, false), null, damage);
    }

    /** Returns the text of the event. */
    public String json() {
        StringWriter target = new StringWriter();
        try (JsonWriter json = JsonProviders.createWriter(target)) {
            json.writeJson(event);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return target.toString();
    }

    /** Returns the bytes of a text inside the quotes of JSON. */
    public static int jsonBytes(String text) {
        return quoted(text).getBytes(StandardCharsets.UTF_8).length - 2;
    }

    /** Returns a text as JSON writes it. */
    public static String quoted(String text) {
        StringWriter target = new StringWriter();
        try (JsonWriter json = JsonProviders.createWriter(target)) {
            json.writeString(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return target.toString();
    }

    /** Returns whether this library wrote it, so that it may be rewritten. */
    public boolean isOwn() {
        return attribute(VERSION_ATTRIBUTE) instanceof Number version
                && version.intValue() == VERSION
                && ID.matcher(event.getId()).matches();
    }

    /** Returns the id, the same in all copies of one send. */
    public String id() {
        return event.getId();
    }

    /** Returns the bytes in the event, or {@code null} if there are none. */
    public byte @Nullable [] data() {
        if (foreignBody != null) {
            return foreignBody;
        }
        BinaryData data = event.getData();
        return data == null ? null : data.toBytes();
    }

    public boolean isCompressed() {
        return GZIP.equals(attribute(ENCODING));
    }

    /**
     * Returns the blob with the body, or {@code null} if it is in the event. References of other programs do not count,
     * nor one that the library cannot have written for this event: a sender must not name the blobs of others.
     */
    public @Nullable Claim claim() {
        Object hash = attribute(HASH);
        Claim claim = attribute(REFERENCE) instanceof String name
                        && attribute(ETAG) instanceof String etag
                        && (hash == null || hash instanceof String)
                ? new Claim(name, etag, (String) hash)
                : null;
        return claim != null && isOwn() && claim.isOf(id()) ? claim : null;
    }

    /**
     * Returns why the body cannot be read, or {@code null} if it may be. An event that refers elsewhere for its body
     * may not be believed.
     */
    @Nullable
    public String damage() {
        if (!isOwn()) {
            return damage;
        }
        if (attribute(ENCODING) != null && !isCompressed()) {
            return "its dataencoding is not " + GZIP;
        }
        return attribute(REFERENCE) != null && claim() == null ? FOREIGN_BLOB : null;
    }

    /** Returns the last checkpoint of a handler, or {@code null}. */
    public @Nullable String checkpoint() {
        return attribute(CHECKPOINT) instanceof String text ? text : null;
    }

    /** Returns the number of failed handlings, as far as it was noted. */
    public int failures() {
        return (int) number(FAILURES);
    }

    /** Returns the number of deliveries that were given back without a failure, as far as it was noted. */
    public long releases() {
        return number(RELEASES);
    }

    private long number(String name) {
        return attribute(name) instanceof Number number
                ? Math.max(0, Math.min(Integer.MAX_VALUE, number.longValue()))
                : 0;
    }

    private @Nullable Object attribute(String name) {
        Map<String, Object> attributes = event.getExtensionAttributes();
        return attributes == null ? null : attributes.get(name);
    }

    /** Returns this envelope with a checkpoint. */
    public MessageEnvelope withCheckpoint(String text) {
        return with(Map.of(CHECKPOINT, text));
    }

    /** Returns this envelope with other counts. */
    public MessageEnvelope noting(int failures, long releases) {
        return with(Map.of(FAILURES, failures, RELEASES, Math.min(releases, Integer.MAX_VALUE)));
    }

    /** Returns this envelope with a body in a blob. */
    public MessageEnvelope withClaim(Claim claim) {
        String hash = claim.hash();
        return with(
                hash == null
                        ? Map.of(REFERENCE, claim.name(), ETAG, claim.etag())
                        : Map.of(REFERENCE, claim.name(), ETAG, claim.etag(), HASH, hash));
    }

    /** Returns the trace context of its sender; empty without a well-formed one. */
    public Map<String, String> traceContext() {
        return attribute(TRACE_PARENT) instanceof String parent
                ? traceContext(parent, attribute(TRACE_STATE))
                : Map.of();
    }

    /** Returns this envelope with the trace context of its sender, if that is well-formed. */
    public MessageEnvelope withTraceContext(Map<String, String> headers) {
        String parent = headers.get(TRACE_PARENT);
        Map<String, String> kept = parent == null ? Map.of() : traceContext(parent, headers.get(TRACE_STATE));
        return kept.isEmpty() ? this : with(kept);
    }

    private static Map<String, String> traceContext(String parent, @Nullable Object state) {
        if (!PARENT.matcher(parent).matches()) {
            return Map.of();
        }
        return state instanceof String text && STATE.matcher(text).matches()
                ? Map.of(TRACE_PARENT, parent, TRACE_STATE, text)
                : Map.of(TRACE_PARENT, parent);
    }

    /** Returns a later state of the same message with another body. */
    public MessageEnvelope carryingOn(MessageEnvelope before) {
        MessageEnvelope after = noting(before.failures(), before.releases()).withTraceContext(before.traceContext());
        String checkpoint = before.checkpoint();
        MessageEnvelope noted = checkpoint == null ? after : after.withCheckpoint(checkpoint);
        noted.event.setId(before.id());
        return noted;
    }

    private MessageEnvelope with(Map<String, ?> changes) {
        CloudEvent copy = event(event.getSource(), event.getType(), data(), event.getDataContentType(), isCompressed());
        copy.setId(event.getId()).setTime(event.getTime());
        copy.setSubject(event.getSubject());
        copy.setDataSchema(event.getDataSchema());
        Map<String, Object> attributes = new LinkedHashMap<>();
        if (event.getExtensionAttributes() != null) {
            attributes.putAll(event.getExtensionAttributes());
        }
        attributes.putAll(changes);
        attributes.forEach((name, value) -> {
            if (value != null && ATTRIBUTE.matcher(name).matches()) {
                copy.addExtensionAttribute(name, value);
            }
        });
        return new MessageEnvelope(copy);
    }

    @Override
    public String toString() {
        return "MessageEnvelope[" + Objects.requireNonNullElse(event.getId(), "") + "]";
    }
}
