package io.stowline.queue.internal;

import com.azure.xml.XmlWriter;
import java.io.OutputStream;
import javax.xml.stream.XMLStreamException;

/** A message's text inside the XML that carries it. */
final class XmlText {

    private XmlText() {}

    /** Refuses what XML 1.0 cannot carry, escaped or not (its section 2.2). */
    static String check(String text) {
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int c = text.codePointAt(i);
            if (!legal(c)) {
                throw new IllegalArgumentException(String.format(
                        "the message has U+%04X at index %d, which XML 1.0 cannot carry; MessageEncoding.BASE64 can",
                        c, i));
            }
        }
        return text;
    }

    private static boolean legal(int c) {
        return c == 0x9
                || c == 0xA
                || c == 0xD
                || (c >= 0x20 && c <= 0xD7FF)
                || (c >= 0xE000 && c <= 0xFFFD)
                || c >= 0x10000;
    }

    /** The size of the whole body in bytes, as the SDK writes it. */
    static long bodySize(String text) {
        Counter counter = new Counter();
        try (XmlWriter xml = XmlWriter.toStream(counter)) {
            xml.writeStartDocument();
            xml.writeStartElement("QueueMessage");
            xml.writeStringElement("MessageText", text);
            xml.writeEndElement();
            xml.flush();
        } catch (XMLStreamException e) {
            throw new IllegalArgumentException("the message of " + text.length() + " characters is no XML", e);
        }
        return counter.bytes;
    }

    private static final class Counter extends OutputStream {

        private long bytes;

        @Override
        public void write(int b) {
            bytes++;
        }

        @Override
        public void write(byte[] b, int off, int len) {
            bytes += len;
        }
    }
}
