package io.stowline.table.internal.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The row key of a message that waits in an outbox. The rows of one transaction have one id. No entity of an application has such a key.
 *
 * @param id the id of the transaction
 * @param number the place of the message in it, from 0
 */
public record OutboxKey(String id, int number) {

    /** The beginning of all these keys. */
    public static final String PREFIX = "~stowline-outbox~";

    private static final byte[] BYTES = PREFIX.getBytes(StandardCharsets.US_ASCII);
    private static final int BYTE = 0xFF;
    private static final int[] SHIFTS = shifts();
    private static final char SEPARATOR = '~';
    private static final int TWO_DIGITS = 10;

    /** Returns the beginning of the keys of one transaction. */
    public static String prefix(String id) {
        return PREFIX + id + SEPARATOR;
    }

    /** Returns whether the row with this key is a message. */
    public static boolean isOf(String rowKey) {
        return rowKey.startsWith(PREFIX);
    }

    /** Returns the id of the transaction to which a row with such a key belongs. */
    public static String idOf(String rowKey) {
        int end = rowKey.lastIndexOf(SEPARATOR);
        return end < PREFIX.length() ? "" : rowKey.substring(PREFIX.length(), end);
    }

    /** Returns whether such a key can stand in the body of a response. By Horspool's search, which reads about an eighth of the bytes. */
    public static boolean canStandIn(byte[] body) {
        int length = BYTES.length;
        for (int end = length; end <= body.length; end += SHIFTS[body[end - 1] & BYTE]) {
            if (body[end - 1] == SEPARATOR && Arrays.equals(body, end - length, end, BYTES, 0, length)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the step of the search by the byte before it. */
    private static int[] shifts() {
        int[] shifts = new int[BYTE + 1];
        Arrays.fill(shifts, BYTES.length);
        for (int i = 0; i < BYTES.length - 1; i++) {
            shifts[BYTES[i]] = BYTES.length - 1 - i;
        }
        return shifts;
    }

    /** Returns the key, which sorts by the number. */
    public String text() {
        return prefix(id) + (number < TWO_DIGITS ? "0" : "") + number;
    }
}
