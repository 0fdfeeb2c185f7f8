package io.stowline.queue.internal.body;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.json.JsonToken;
import io.stowline.queue.internal.BodyException;
import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.body.BodyFormat.Base64Text;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reader of CloudEvents in their JSON format, as they come from other programs. An object with {@code specversion} is an event, whatever else is
 * right or wrong with it: its body is its data, or it is damaged. Attributes that no body needs may be missing or malformed. Serves one text.
 */
public final class EventReader {

    static final String SPEC_VERSION = "specversion";
    private static final String DATA = "data";
    private static final String BASE64 = "data_base64";
    private static final Set<String> REQUIRED = Set.of("id", "source", "type");
    private static final Pattern KNOWN_VERSION = Pattern.compile("1\\.[0-9]+|0\\.3");
    private static final Pattern JSON_TYPE =
            Pattern.compile("[^/;]+/([^;]+\\+)?json *(;.*)?", Pattern.CASE_INSENSITIVE);

    private final Map<String, String> attributes = new HashMap<>();

    private byte @Nullable [] data;
    private @Nullable String dataText;
    private boolean batch;

    private EventReader() {}

    /**
     * Reads a text, in Base64 or plain.
     *
     * @return the envelope, or {@code null} if the text is no event
     */
    public static @Nullable MessageEnvelope read(String text) {
        String json = ReceivedText.json(text);
        if (json == null || !(json.contains(SPEC_VERSION) || json.contains("\\u"))) {
            return null;
        }
        EventReader event = new EventReader();
        try {
            event.parse(json);
        } catch (IOException | RuntimeException e) {
            return event.isEvent() || json.contains('"' + SPEC_VERSION + '"')
                    ? MessageEnvelope.damaged("it is an event that is no whole JSON")
                    : null;
        }
        if (event.batch) {
            return event.isEvent()
                    ? MessageEnvelope.damaged("it is a batch of events, and a message has the body of one")
                    : null;
        }
        return event.isEvent() ? event.envelope(json) : null;
    }

    private boolean isEvent() {
        return attributes.containsKey(SPEC_VERSION);
    }

    /** Reads the first event of a batch. */
    private void parse(String text) throws IOException {
        try (JsonReader json = JsonProviders.createReader(text)) {
            JsonToken first = json.nextToken();
            batch = first == JsonToken.START_ARRAY;
            if (batch && json.nextToken() != JsonToken.START_OBJECT) {
                return;
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.getFieldName();
                attribute(name, json.nextToken(), json);
            }
            if (!batch && json.nextToken() != JsonToken.END_DOCUMENT) {
                throw new IOException("the event does not end with its object");
            }
        }
    }

    private void attribute(String name, JsonToken kind, JsonReader json) throws IOException {
        boolean nested = kind == JsonToken.START_OBJECT || kind == JsonToken.START_ARRAY;
        String value = nested ? json.readChildren() : json.getText();
        if (kind == JsonToken.NULL) {
            if (name.equals(SPEC_VERSION)) {
                attributes.put(name, "");
            }
            return;
        }
        if (name.equals(DATA)) {
            dataText = kind == JsonToken.STRING ? value : null;
            data = (kind == JsonToken.STRING ? MessageEnvelope.quoted(value) : value).getBytes(StandardCharsets.UTF_8);
        } else {
            attributes.put(name, value);
        }
    }

    private MessageEnvelope envelope(String json) {
        if (attributes.containsKey(MessageEnvelope.VERSION_ATTRIBUTE)) {
            MessageEnvelope own = MessageEnvelope.readOwn(json);
            return own == null
                    ? MessageEnvelope.damaged(
                            "it has the marker of Stowline, in a form that this version does not write")
                    : own;
        }
        try {
            return MessageEnvelope.foreign(body(), attributes);
        } catch (BodyException e) {
            return MessageEnvelope.damaged(String.valueOf(e.getMessage()));
        }
    }

    private byte[] body() {
        if (!KNOWN_VERSION.matcher(String.valueOf(attributes.get(SPEC_VERSION))).matches()) {
            throw new BodyException("it is an event of another version than 1.0", null);
        }
        String encoded = attributes.get(BASE64);
        byte[] plain = data;
        if (encoded != null && plain != null) {
            throw new BodyException("it is an event with both data and data_base64", null);
        }
        if (encoded != null) {
            return decoded(encoded);
        }
        return plain == null ? nothing() : plain(plain);
    }

    private static byte[] decoded(String text) {
        byte[] bytes = Base64Text.decode(text);
        if (bytes == null) {
            throw new BodyException("its data_base64 is no Base64", null);
        }
        return bytes;
    }

    /** Text that is no JSON stands in the data unchanged; version 0.3 has Base64 there. */
    private byte[] plain(byte[] json) {
        String text = dataText;
        String type = attributes.get("datacontenttype");
        if (text == null) {
            return json;
        }
        if ("base64".equalsIgnoreCase(attributes.get("datacontentencoding"))) {
            return decoded(text);
        }
        return type == null || JSON_TYPE.matcher(type.strip()).matches() ? json : text.getBytes(StandardCharsets.UTF_8);
    }

    /** An event may have no body; one with another missing part has lost it. */
    private byte[] nothing() {
        if (attributes.containsKey("dataref")) {
            throw new BodyException(
                    "it is an event of another program whose dataref says that its body is elsewhere", null);
        }
        if (!attributes.keySet().containsAll(REQUIRED)) {
            throw new BodyException("it is an event without data, and without id, source or type", null);
        }
        return new byte[0];
    }
}
