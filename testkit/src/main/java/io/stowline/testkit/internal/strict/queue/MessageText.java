package io.stowline.testkit.internal.strict.queue;

import io.stowline.testkit.internal.wire.Bytes;
import io.stowline.testkit.internal.wire.XmlDocument;
import java.nio.charset.StandardCharsets;

/** Measure of the text of a queue message. */
final class MessageText {

    static final int MAX_SIZE = 64 * 1024;

    private MessageText() {}

    /** Returns the text's size in UTF-8; 0 when the body has none. */
    static int size(Bytes body) {
        return body.length() <= MAX_SIZE
                ? 0
                : XmlDocument.read(body)
                        .text("MessageText")
                        .map(text -> text.getBytes(StandardCharsets.UTF_8).length)
                        .orElse(0);
    }
}
