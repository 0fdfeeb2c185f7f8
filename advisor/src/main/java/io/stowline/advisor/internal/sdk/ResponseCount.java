package io.stowline.advisor.internal.sdk;

import java.nio.charset.StandardCharsets;

/** A count of the rows or messages in the body of a response. */
final class ResponseCount {

    private static final byte[] MESSAGE = "<MessageId>".getBytes(StandardCharsets.US_ASCII);

    /** A row is an object in the list of the outer one. */
    private static final int DEPTH_OF_ROWS = 2;

    private ResponseCount() {}

    static int rows(byte[] json) {
        int rows = 0;
        int depth = 0;
        boolean text = false;
        for (int i = 0; i < json.length; i++) {
            byte one = json[i];
            if (text) {
                if (one == '\\') {
                    i++;
                } else if (one == '"') {
                    text = false;
                }
            } else if (one == '"') {
                text = true;
            } else if (one == '{' || one == '[') {
                rows += one == '{' && depth == DEPTH_OF_ROWS ? 1 : 0;
                depth++;
            } else if (one == '}' || one == ']') {
                depth--;
            }
        }
        return rows;
    }

    static int messages(byte[] xml) {
        int messages = 0;
        int matched = 0;
        for (byte one : xml) {
            matched = one == MESSAGE[matched] ? matched + 1 : one == MESSAGE[0] ? 1 : 0;
            if (matched == MESSAGE.length) {
                messages++;
                matched = 0;
            }
        }
        return messages;
    }
}
