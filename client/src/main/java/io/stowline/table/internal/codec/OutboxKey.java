package io.stowline.table.internal.codec;

/**
 * The row key of a message that waits in an outbox. The rows of one transaction have one id. No entity of an application has such a key.
 *
 * @param id the id of the transaction
 * @param number the place of the message in it, from 0
 */
public record OutboxKey(String id, int number) {

    /** The beginning of all these keys. */
    public static final String PREFIX = "~stowline-outbox~";

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

    /** Returns the key, which sorts by the number. */
    public String text() {
        return prefix(id) + (number < TWO_DIGITS ? "0" : "") + number;
    }
}
