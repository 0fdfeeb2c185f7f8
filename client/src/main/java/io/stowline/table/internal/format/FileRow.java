package io.stowline.table.internal.format;

import java.nio.charset.StandardCharsets;

/**
 * A row of a table file as it stands there.
 *
 * @param line the line on which it begins, from 1
 * @param text its bytes without the end of the line
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record FileRow(long line, byte[] text) {

    /** Returns its text, for reports. */
    public String shown() {
        return new String(text, StandardCharsets.UTF_8);
    }
}
