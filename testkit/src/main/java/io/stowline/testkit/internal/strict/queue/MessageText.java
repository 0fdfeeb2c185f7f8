package io.stowline.testkit.internal.strict.queue;

import io.stowline.testkit.internal.strict.request.Bytes;
import io.stowline.testkit.internal.strict.request.XmlReader;
import java.nio.charset.StandardCharsets;

/** Measures the text of a queue message. */
final class MessageText {

    static final int MAX_SIZE = 64 * 1024;

    private MessageText() {}

    /** Returns the text's size in UTF-8; 0 when the body has none. */
    static int size(Bytes body) {
        Counter counter = new Counter();
        if (body.length() > MAX_SIZE) {
            XmlReader.read(body, counter);
        }
        return counter.size;
    }

    private static final class Counter implements XmlReader.Listener {

        private int size;
        private boolean inside;

        @Override
        public void started(String name) {
            inside = name.equals("MessageText");
        }

        @Override
        public void text(String text) {
            size += inside ? text.getBytes(StandardCharsets.UTF_8).length : 0;
        }

        @Override
        public void ended(String name) {
            inside = false;
        }
    }
}
