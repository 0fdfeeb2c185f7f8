package io.stowline.table.internal.outbox;

/**
 * A hint that a transaction may have left messages: where its rows are. Keys and names have no slash, so that one separates them.
 *
 * @param id the id of the transaction
 */
record OutboxHint(String table, String id, String partitionKey) {

    private static final String VERSION = "1/";
    private static final int PARTS = 4;

    /**
     * Reads a hint.
     *
     * @throws IllegalArgumentException if it is none
     */
    static OutboxHint parse(String text) {
        String[] parts = text.split("/", PARTS);
        if (!text.startsWith(VERSION) || parts.length < PARTS || parts[2].isEmpty()) {
            throw new IllegalArgumentException("a message of the queue " + HintQueue.NAME + " is no hint of an outbox");
        }
        return new OutboxHint(parts[1], parts[2], parts[3]);
    }

    String text() {
        return VERSION + table + "/" + id + "/" + partitionKey;
    }

    String resource() {
        return table + "(" + partitionKey + ")";
    }
}
