package io.stowline.table.internal.format;

import java.nio.charset.StandardCharsets;

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

    /** Returns its text, for reports. */
    public String shown() {
        return new String(text, StandardCharsets.UTF_8);
    }
}
