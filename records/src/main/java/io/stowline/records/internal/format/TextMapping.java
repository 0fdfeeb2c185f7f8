package io.stowline.records.internal.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Function;

/**
 * A mapping to one line of text in UTF-8.
 *
 * @param toText writes a record
 * @param fromText reads it
 * @param <T> the records' type
 */
record TextMapping<T>(Function<? super T, String> toText, Function<? super String, ? extends T> fromText)
        implements RecordMapping<T> {

    private static final char REPLACEMENT = '\uFFFD';

    @Override
    public byte[] encode(T record) {
        String text = toText.apply(record);
        if (text == null) {
            throw new IllegalArgumentException("the function of the format gave no text for a record of "
                    + record.getClass().getName());
        }
        return line(text, "the record");
    }

    /**
     * Returns the bytes of a text of one line.
     *
     * @throws IllegalArgumentException if it has a line end, or is not Unicode
     */
    static byte[] line(String text, String subject) {
        refuse(text, '\n', subject);
        refuse(text, '\r', subject);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        // Only ASCII has as many bytes as characters, and what is no Unicode, of which question marks are made.
        if (bytes.length != text.length() || !new String(bytes, StandardCharsets.ISO_8859_1).equals(text)) {
            checkSurrogates(text, subject);
        }
        return bytes;
    }

    private static void refuse(String text, char lineEnd, String subject) {
        int at = text.indexOf(lineEnd);
        if (at >= 0) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "%s has a line end (U+%04X) at index %d, and a record of lines is one line: escape it, or write"
                            + " JSON or length-delimited records",
                    subject,
                    (int) lineEnd,
                    at));
        }
    }

    private static void checkSurrogates(String text, String subject) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Character.isSurrogate(c)) {
                continue;
            }
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else {
                throw new IllegalArgumentException(String.format(
                        Locale.ROOT,
                        "%s has the unpaired surrogate U+%04X at index %d, which UTF-8 cannot have",
                        subject,
                        (int) c,
                        i));
            }
        }
    }

    @Override
    public T decode(byte[] bytes, int from, int to) throws IOException {
        String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0) {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, to - from));
        }
        T record = fromText.apply(text);
        if (record == null) {
            throw new IOException("the function of the format gave no record for a line of " + (to - from) + " bytes");
        }
        return record;
    }
}
