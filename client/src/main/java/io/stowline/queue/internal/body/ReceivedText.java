package io.stowline.queue.internal.body;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.json.JsonToken;
import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.body.BodyFormat.Base64Text;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The texts of messages as programs and tools write them: plain or in Base64, behind a byte order mark, with blanks
 * around, in one of the Unicode encodings that readers of JSON recognise.
 */
public final class ReceivedText {

    /** The member that marks a copy in a poison queue. */
    public static final String POISON_MEMBER = "stowlinePoison";

    /** Members whose presence identifies an object, whatever their value is. */
    private static final Set<String> ENVELOPE_MEMBERS =
            Set.of(POISON_MEMBER, MessageEnvelope.VERSION_ATTRIBUTE, EventReader.SPEC_VERSION);

    private static final Charset UTF_32BE = Charset.forName("UTF-32BE");
    private static final Charset UTF_32LE = Charset.forName("UTF-32LE");

    private ReceivedText() {}

    /**
     * Returns the JSON object or list that a text seems to be.
     *
     * @return the text from its first bracket on, or {@code null} if it begins with none
     */
    public static @Nullable String json(String text) {
        String plain = trimmed(text.indexOf(0) < 0 ? text : characters(text.getBytes(StandardCharsets.UTF_8)));
        if (isJson(plain)) {
            return plain;
        }
        byte[] decoded = Base64Text.decode(plain);
        String inside = decoded == null ? "" : trimmed(characters(decoded));
        return isJson(inside) ? inside : null;
    }

    private static String characters(byte[] bytes) {
        return new String(bytes, charset(bytes));
    }

    /**
     * Chosen by a byte order mark or the zeros of the first character, as a reader of JSON does: the body must not be
     * read in another one.
     */
    private static Charset charset(byte[] bytes) {
        int first = pair(bytes, 0);
        int second = pair(bytes, 2);
        if (bytes.length >= 4 && first == 0 && (second == 0xFEFF || second >>> 8 == 0)) {
            return UTF_32BE;
        }
        if (bytes.length >= 4 && second == 0 && (first == 0xFFFE || (first & 0xFF) == 0)) {
            return UTF_32LE;
        }
        if (first == 0xFEFF || first >>> 8 == 0) {
            return StandardCharsets.UTF_16BE;
        }
        return first == 0xFFFE || (first & 0xFF) == 0 ? StandardCharsets.UTF_16LE : StandardCharsets.UTF_8;
    }

    /** Two bytes as a number; without them, one that is no mark and has no zero. */
    private static int pair(byte[] bytes, int at) {
        return at + 2 > bytes.length ? 0x2020 : (bytes[at] & 0xFF) << 8 | (bytes[at + 1] & 0xFF);
    }

    private static String trimmed(String text) {
        int begin = 0;
        int end = text.length();
        while (begin < end && isBlank(text.charAt(begin))) {
            begin++;
        }
        while (begin < end && isBlank(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(begin, end);
    }

    private static boolean isBlank(char c) {
        return c == '\uFEFF' || c == 0 || Character.isWhitespace(c);
    }

    private static boolean isJson(String text) {
        return text.startsWith("{") || text.startsWith("[");
    }

    /**
     * Returns the texts and numbers of a JSON object by their names; a marker of the library or of an event also if it is something else.
     *
     * @throws IOException if the text is no JSON object
     * @throws IllegalStateException if the text is no JSON
     */
    public static Map<String, String> members(String json) throws IOException {
        Map<String, String> members = new HashMap<>();
        try (JsonReader reader = JsonProviders.createReader(json)) {
            if (reader.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("the text is no object");
            }
            while (reader.nextToken() == JsonToken.FIELD_NAME) {
                String name = reader.getFieldName();
                JsonToken value = reader.nextToken();
                if (value == JsonToken.STRING || value == JsonToken.NUMBER) {
                    members.put(name, reader.getString());
                } else {
                    if (ENVELOPE_MEMBERS.contains(name)) {
                        members.put(name, "");
                    }
                    reader.skipChildren();
                }
            }
        }
        return members;
    }

    /**
     * Returns why a text that the library has written around a body is no body itself. A reader of JSON that leaves out unknown properties would
     * make a body of its members.
     *
     * @return the reason, or {@code null} if the library has not written the bytes
     */
    static @Nullable String misplaced(byte[] bytes) {
        if (charset(bytes).equals(StandardCharsets.UTF_8)
                && !new String(bytes, StandardCharsets.ISO_8859_1).contains(MessageEnvelope.VERSION_ATTRIBUTE)) {
            return null;
        }
        try {
            Map<String, String> members = members(trimmed(characters(bytes)));
            if (members.containsKey(POISON_MEMBER)) {
                return "it is a copy from a poison queue, whose body poison().redrive(..) sends back";
            }
            return members.containsKey(EventReader.SPEC_VERSION)
                            && members.containsKey(MessageEnvelope.VERSION_ATTRIBUTE)
                    ? "its body is in an envelope of Stowline, which withEnvelope(..) of its queue opens"
                    : null;
        } catch (IOException | IllegalStateException e) {
            return null;
        }
    }
}
