package io.stowline.queue.internal;

import com.azure.core.util.DateTimeRfc1123;
import com.azure.xml.XmlReader;
import com.azure.xml.XmlToken;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.MessageView.LeaseReceipt;
import io.stowline.queue.internal.MessageView.LeaseReceipt.LeaseTimer;
import io.stowline.queue.internal.MessageView.MessageHeader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;

/** Messages in the XML of the service (its pages "Put Message" and "Get Messages"). */
public final class MessageXml {

    private static final String LIST = "QueueMessagesList";
    private static final String MESSAGE = "QueueMessage";
    private static final String START = "<?xml version=\"1.0\" encoding=\"utf-8\"?><QueueMessage><MessageText>";
    private static final String END = "</MessageText></QueueMessage>";

    private MessageXml() {}

    /**
     * Writes the body of a request that carries a message.
     *
     * @param text the message's text, which XML can carry
     */
    public static byte[] body(String text) {
        StringBuilder xml = new StringBuilder(START.length() + text.length() + END.length() + 16).append(START);
        int copied = 0;
        for (int i = 0; i < text.length(); i++) {
            String escaped = escaped(text, i);
            if (escaped != null) {
                xml.append(text, copied, i).append(escaped);
                copied = i + 1;
            }
        }
        return xml.append(text, copied, text.length()).append(END).toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * A parser turns a carriage return into a line feed unless it is a reference, and {@code ]]>} must not stand in a
     * text (XML 1.0, sections 2.11 and 2.4).
     */
    private static @Nullable String escaped(String text, int i) {
        return switch (text.charAt(i)) {
            case '&' -> "&amp;";
            case '<' -> "&lt;";
            case '>' -> text.startsWith("]]", i - 2) ? "&gt;" : null;
            case '\r' -> "&#xD;";
            default -> null;
        };
    }

    /**
     * Reads a list of messages.
     *
     * @param body the body of a response
     * @return the messages, as far as the response describes them
     * @throws XMLStreamException if it is no XML
     * @throws IncompleteResponseException if it is no list of messages
     */
    static List<MessageElement> messages(byte[] body) throws XMLStreamException {
        try {
            return messages(body, null);
        } catch (IncompleteResponseException e) {
            throw e;
        } catch (XMLStreamException | RuntimeException e) {
            LiteralTexts apart = LiteralTexts.of(new String(body, StandardCharsets.UTF_8));
            if (apart == null) {
                throw e;
            }
            return messages(
                    apart.rest().getBytes(StandardCharsets.UTF_8), apart.texts().iterator());
        }
    }

    private static List<MessageElement> messages(byte[] body, @Nullable Iterator<String> texts)
            throws XMLStreamException {
        try (XmlReader xml = XmlReader.fromBytes(body)) {
            if (xml.nextElement() != XmlToken.START_ELEMENT || !xml.elementNameMatches(LIST)) {
                throw new IncompleteResponseException("the response has no list, the element " + LIST);
            }
            List<MessageElement> messages = new ArrayList<>();
            while (xml.nextElement() == XmlToken.START_ELEMENT) {
                if (xml.elementNameMatches(MESSAGE)) {
                    messages.add(MessageElement.read(xml, texts));
                } else {
                    xml.skipElement();
                }
            }
            return messages;
        }
    }

    /**
     * Reads a time.
     *
     * @param rfc1123 the time as the service writes it
     * @throws RuntimeException if it is none
     */
    static Instant time(String rfc1123) {
        return new DateTimeRfc1123(rfc1123).getDateTime().toInstant();
    }

    private static @Nullable Instant timeIn(@Nullable String element) {
        try {
            return element == null ? null : time(element);
        } catch (RuntimeException e) {
            return null;
        }
    }

    /** Zero, as of a message that was never received, where the service gives no number. */
    private static long numberIn(@Nullable String element) {
        try {
            return element == null ? 0 : Long.parseLong(element.strip());
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /**
     * Texts of messages, taken out of a list. The service keeps characters that XML cannot carry and shows them as they are, or as references. A
     * parser refuses the whole list for one of them.
     *
     * @param rest the list with empty texts
     * @param texts the texts in their order
     */
    private record LiteralTexts(String rest, List<String> texts) {

        private static final String OPEN = "<MessageText>";
        private static final String CLOSE = "</MessageText>";
        private static final int MAX_REFERENCE = 10;

        /** Returns the texts of a list, or {@code null} if one of them has more than characters and references in it. */
        static @Nullable LiteralTexts of(String xml) {
            StringBuilder rest = new StringBuilder();
            List<String> texts = new ArrayList<>();
            int copied = 0;
            for (int open = xml.indexOf(OPEN); open >= 0; open = xml.indexOf(OPEN, copied)) {
                int begin = open + OPEN.length();
                int end = xml.indexOf(CLOSE, begin);
                String text = end < 0 ? null : text(xml.substring(begin, end));
                if (text == null) {
                    return null;
                }
                texts.add(text);
                rest.append(xml, copied, begin);
                copied = end;
            }
            return new LiteralTexts(rest.append(xml, copied, xml.length()).toString(), texts);
        }

        private static @Nullable String text(String xml) {
            String lines = xml.replace("\r\n", "\n").replace('\r', '\n');
            StringBuilder text = new StringBuilder(lines.length());
            for (int i = 0; i < lines.length(); i++) {
                char c = lines.charAt(i);
                if (c == '<') {
                    return null;
                }
                if (c != '&') {
                    text.append(c);
                    continue;
                }
                int end = lines.indexOf(';', i);
                int point = end < 0 || end - i > MAX_REFERENCE ? -1 : codePoint(lines.substring(i + 1, end));
                if (!Character.isValidCodePoint(point)) {
                    return null;
                }
                text.appendCodePoint(point);
                i = end;
            }
            return text.toString();
        }

        private static int codePoint(String reference) {
            try {
                return switch (reference) {
                    case "amp" -> '&';
                    case "lt" -> '<';
                    case "gt" -> '>';
                    case "quot" -> '"';
                    case "apos" -> '\'';
                    default ->
                        reference.startsWith("#x")
                                ? Integer.parseInt(reference.substring(2), 16)
                                : reference.startsWith("#") ? Integer.parseInt(reference.substring(1)) : -1;
                };
            } catch (NumberFormatException e) {
                return -1;
            }
        }
    }

    /** A response lacks something. Its message may be shown: it does not quote the response. */
    static final class IncompleteResponseException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        IncompleteResponseException(String message) {
            super(message);
        }
    }

    /** A message in a response. Serves one thread. */
    static final class MessageElement {

        private @Nullable String id;
        private @Nullable String popReceipt;
        private @Nullable Instant insertedAt;
        private @Nullable Instant expiresAt;
        private @Nullable Instant visibleAt;
        private long dequeueCount;
        private String text = "";

        private MessageElement() {}

        /** Returns the facts of the message in this queue. */
        MessageHeader header(String queue) {
            return new MessageHeader(queue, id(), dequeueCount(), insertedAt(), expiresAt());
        }

        /** Returns the message as a receive from this queue. */
        DeliveredMessage delivered(String queue, LeaseTimer leaseTimer) {
            LeaseReceipt lease = new LeaseReceipt(popReceipt(), visibleAt(), leaseTimer);
            return new DeliveredMessage(new MessageView(header(queue), text()), lease);
        }

        /** Texts that were taken out come from the iterator. */
        private static MessageElement read(XmlReader xml, @Nullable Iterator<String> texts) throws XMLStreamException {
            MessageElement message = new MessageElement();
            while (xml.nextElement() == XmlToken.START_ELEMENT) {
                switch (xml.getElementName().getLocalPart()) {
                    case "MessageId" -> message.id = xml.getStringElement();
                    case "PopReceipt" -> message.popReceipt = xml.getStringElement();
                    case "InsertionTime" -> message.insertedAt = timeIn(xml.getStringElement());
                    case "ExpirationTime" -> message.expiresAt = timeIn(xml.getStringElement());
                    case "TimeNextVisible" -> message.visibleAt = timeIn(xml.getStringElement());
                    case "DequeueCount" -> message.dequeueCount = numberIn(xml.getStringElement());
                    case "MessageText" -> {
                        String inside = Objects.requireNonNullElse(xml.getStringElement(), "");
                        message.text = texts == null || !texts.hasNext() ? inside : texts.next();
                    }
                    default -> xml.skipElement();
                }
            }
            return message;
        }

        String id() {
            return there("MessageId", id);
        }

        String popReceipt() {
            return there("PopReceipt", popReceipt);
        }

        Instant insertedAt() {
            return there("InsertionTime", insertedAt);
        }

        Instant expiresAt() {
            return there("ExpirationTime", expiresAt);
        }

        Instant visibleAt() {
            return there("TimeNextVisible", visibleAt);
        }

        long dequeueCount() {
            return dequeueCount;
        }

        String text() {
            return text;
        }

        private static <A> A there(String element, @Nullable A value) {
            if (value == null) {
                throw new IncompleteResponseException("a message has no element " + element);
            }
            return value;
        }
    }
}
