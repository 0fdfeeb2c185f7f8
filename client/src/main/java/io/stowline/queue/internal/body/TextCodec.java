package io.stowline.queue.internal.body;

import io.stowline.queue.MessageCodec;
import io.stowline.queue.internal.BodyException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Text in UTF-8, without silent replacement of what is none. */
public final class TextCodec implements MessageCodec<String> {

    /** The only one; it has no state. */
    public static final TextCodec INSTANCE = new TextCodec();

    private TextCodec() {}

    /**
     * Refuses what UTF-8 cannot carry.
     *
     * @param what names the text
     * @throws IllegalArgumentException if a surrogate has no partner
     */
    static void check(String what, String value) {
        for (int i = 0; i < value.length(); i += Character.charCount(value.codePointAt(i))) {
            int c = value.codePointAt(i);
            if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                throw new BodyException(
                        String.format(Locale.ROOT, "the %s has the unpaired surrogate U+%04X at index %d", what, c, i),
                        null);
            }
        }
    }

    @Override
    public byte[] encode(String value) {
        check("text", value);
        return value.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String decode(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new BodyException("the " + bytes.length + " bytes are no text in UTF-8", null);
        }
    }

    @Override
    public String toString() {
        return "text";
    }
}
