package io.stowline.table.internal.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A row of a table file as it stands there.
 *
 * @param line the line on which it begins, from 1
 * @param text its bytes without the end of the line; of a row that is too long the first ones
 * @param length how many bytes it has there
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record FileRow(long line, byte[] text, long length) {

    /** Makes a row that is not too long. */
    public FileRow(long line, byte[] text) {
        this(line, text, text.length);
    }

    /** Returns whether its text is all of it. */
    public boolean isWhole() {
        return text.length == length;
    }

    /**
     * Returns its text.
     *
     * @throws IOException if it is not UTF-8
     */
    String decoded() throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException e) {
            throw new IOException(
                    "the row is not UTF-8, at its byte " + bytes.position() + ": save the file as UTF-8", e);
        }
    }

    /** Returns whether its text is UTF-8. */
    boolean isUtf8() {
        return Arrays.equals(shown().getBytes(StandardCharsets.UTF_8), text);
    }

    /** Returns its text, for reports. */
    public String shown() {
        return new String(text, StandardCharsets.UTF_8);
    }
}
