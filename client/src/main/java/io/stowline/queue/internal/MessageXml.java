package io.stowline.queue.internal;

import io.stowline.queue.SendResult;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.MessageView.LeaseReceipt;
import io.stowline.queue.internal.MessageView.LeaseReceipt.LeaseTimer;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import io.stowline.transport.internal.http.HttpDates;
import io.stowline.transport.internal.xml.XmlCursor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Messages in the XML of the service (its pages "Put Message" and "Get Messages"). */
public final class MessageXml {

    private static final String LIST = "QueueMessagesList";
    private static final String MESSAGE = "QueueMessage";
    private static final byte[] START = utf8("<?xml version=\"1.0\" encoding=\"utf-8\"?><QueueMessage><MessageText>");
    private static final byte[] END = utf8("</MessageText></QueueMessage>");

    private MessageXml() {}

    /**
     * Returns the body of a request that carries a message.
     *
     * @param text the message's text, which XML can carry
     */
    public static RequestBody body(String text) {
        return new MessageBody(utf8(isPlain(text) ? text : escaped(text)));
    }

    /** The body of a message, whose text is copied between its tags when an attempt is sent. */
    @SuppressWarnings("ArrayRecordComponent") // bodies are never compared
    private record MessageBody(byte[] text) implements RequestBody {

        @Override
        public int length() {
            return START.length + text.length + END.length;
        }

        @Override
        public void write(byte[] target, int from) {
            System.arraycopy(START, 0, target, from, START.length);
            System.arraycopy(text, 0, target, from + START.length, text.length);
            System.arraycopy(END, 0, target, from + START.length + text.length, END.length);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String escaped(String text) {
        StringBuilder xml = new StringBuilder(text.length() + 16);
        int copied = 0;
        for (int i = 0; i < text.length(); i++) {
            String escaped = escaped(text, i);
            if (escaped != null) {
                xml.append(text, copied, i).append(escaped);
                copied = i + 1;
            }
        }
        return xml.append(text, copied, text.length()).toString();
    }

    /** Base64 and most JSON: four searches by the machine's wide instructions, where the loop looks at each character. */
    private static boolean isPlain(String text) {
        return text.indexOf('&') < 0 && text.indexOf('<') < 0 && text.indexOf('\r') < 0 && !text.contains("]]>");
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
     * @throws IOException if it is no XML
     * @throws IncompleteResponseException if it is no list of messages
     */
    static List<MessageElement> messages(byte[] body) throws IOException {
        XmlCursor xml = new XmlCursor(body);
        if (!xml.root().equals(LIST)) {
            throw new IncompleteResponseException("the response has no list, the element " + LIST);
        }
        List<MessageElement> messages = new ArrayList<>();
        MessageTimes times = new MessageTimes();
        while (xml.next()) {
            if (xml.name().equals(MESSAGE)) {
                messages.add(MessageElement.read(xml, times));
            } else {
                xml.skip();
            }
        }
        return messages;
    }

    private static @Nullable String filled(String element) {
        return element.isEmpty() ? null : element;
    }

    /** Zero, as of a message that was never received, where the service gives no number. */
    private static long numberIn(String element) {
        try {
            return Long.parseLong(element.strip());
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** A response lacks something. Its message may be shown: it does not quote the response. */
    static final class IncompleteResponseException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        IncompleteResponseException(String message) {
            super(message);
        }
    }

    /** The times in a list, whose messages have many of them in common. */
    private static final class MessageTimes {

        private final RepeatedTime inserted = new RepeatedTime();
        private final RepeatedTime expires = new RepeatedTime();
        private final RepeatedTime visible = new RepeatedTime();
    }

    /** A time that is read again only where it differs from the one before. */
    private static final class RepeatedTime {

        private String text = "";
        private @Nullable Instant time;

        /** Returns {@code null} if it is none. */
        @Nullable
        Instant read(XmlCursor xml) throws IOException {
            String read = xml.again(text);
            if (!read.equals(text)) {
                text = read;
                time = HttpDates.parse(read);
            }
            return time;
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

        private static MessageElement read(XmlCursor xml, MessageTimes times) throws IOException {
            MessageElement message = new MessageElement();
            while (xml.next()) {
                switch (xml.name()) {
                    case "MessageId" -> message.id = filled(xml.text());
                    case "PopReceipt" -> message.popReceipt = filled(xml.text());
                    case "InsertionTime" -> message.insertedAt = times.inserted.read(xml);
                    case "ExpirationTime" -> message.expiresAt = times.expires.read(xml);
                    case "TimeNextVisible" -> message.visibleAt = times.visible.read(xml);
                    case "DequeueCount" -> message.dequeueCount = numberIn(xml.text());
                    case "MessageText" -> message.text = xml.literalText();
                    default -> xml.skip();
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
            return there("InsertionTime with a time", insertedAt);
        }

        Instant expiresAt() {
            return there("ExpirationTime with a time", expiresAt);
        }

        Instant visibleAt() {
            return there("TimeNextVisible with a time", visibleAt);
        }

        long dequeueCount() {
            return dequeueCount;
        }

        String text() {
            return text;
        }

        /** Returns what a send gives its caller: 1970 in place of each time that the response lacks. */
        SendResult sent(String queue, boolean mayHaveRepeated) {
            return new SendResult(
                    queue,
                    id(),
                    popReceipt(),
                    Objects.requireNonNullElse(insertedAt, Instant.EPOCH),
                    Objects.requireNonNullElse(expiresAt, Instant.EPOCH),
                    Objects.requireNonNullElse(visibleAt, Instant.EPOCH),
                    mayHaveRepeated);
        }

        private static <A> A there(String element, @Nullable A value) {
            if (value == null) {
                throw new IncompleteResponseException("a message has no element " + element);
            }
            return value;
        }
    }
}
