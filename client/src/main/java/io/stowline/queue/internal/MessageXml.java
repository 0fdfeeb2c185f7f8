package io.stowline.queue.internal;

import com.azure.core.util.DateTimeRfc1123;
import com.azure.xml.XmlReader;
import com.azure.xml.XmlToken;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.MessageView.LeaseReceipt;
import io.stowline.queue.internal.MessageView.LeaseReceipt.LeaseTimer;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.transport.ReadOrigin;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;

/** Messages in the XML of the service (its pages "Put Message" and "Get Messages"). */
final class MessageXml {

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
    static byte[] body(String text) {
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
     * What stands for a character. A parser turns a carriage return into a line feed unless it is a reference, and {@code ]]>} must not stand
     * in a text (XML 1.0, sections 2.11 and 2.4).
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
        try (XmlReader xml = XmlReader.fromBytes(body)) {
            if (xml.nextElement() != XmlToken.START_ELEMENT || !xml.elementNameMatches(LIST)) {
                throw new IncompleteResponseException("the answer has no list, the element " + LIST);
            }
            List<MessageElement> messages = new ArrayList<>();
            while (xml.nextElement() == XmlToken.START_ELEMENT) {
                if (xml.elementNameMatches(MESSAGE)) {
                    messages.add(MessageElement.read(xml));
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

    /** A response lacks something. Its message may be shown: it does not quote the response. */
    static final class IncompleteResponseException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        IncompleteResponseException(String message) {
            super(message);
        }
    }

    /**
     * What a response lists.
     *
     * @param origin which of the account's places gave them
     */
    record MessageList(List<MessageElement> messages, ReadOrigin origin) {}

    /** What a response says of one message. Serves one thread. */
    static final class MessageElement {

        private @Nullable String id;
        private @Nullable String popReceipt;
        private @Nullable Instant insertedAt;
        private @Nullable Instant expiresAt;
        private @Nullable Instant visibleAt;
        private long dequeueCount;
        private String text = "";

        private MessageElement() {}

        /** What the service says of the message in this queue. */
        MessageHeader header(String queue) {
            return new MessageHeader(queue, id(), dequeueCount(), insertedAt(), expiresAt());
        }

        /** The message as a receive from this queue has given it. */
        DeliveredMessage delivered(String queue, LeaseTimer tenure) {
            LeaseReceipt lease = new LeaseReceipt(popReceipt(), visibleAt(), tenure);
            return new DeliveredMessage(new MessageView(header(queue), text()), lease);
        }

        private static MessageElement read(XmlReader xml) throws XMLStreamException {
            MessageElement message = new MessageElement();
            while (xml.nextElement() == XmlToken.START_ELEMENT) {
                switch (xml.getElementName().getLocalPart()) {
                    case "MessageId" -> message.id = xml.getStringElement();
                    case "PopReceipt" -> message.popReceipt = xml.getStringElement();
                    case "InsertionTime" -> message.insertedAt = time(xml.getStringElement());
                    case "ExpirationTime" -> message.expiresAt = time(xml.getStringElement());
                    case "TimeNextVisible" -> message.visibleAt = time(xml.getStringElement());
                    case "DequeueCount" -> message.dequeueCount = xml.getLongElement();
                    case "MessageText" -> message.text = Objects.requireNonNullElse(xml.getStringElement(), "");
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
