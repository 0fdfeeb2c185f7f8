package io.stowline.access.internal.policy;

import com.azure.xml.XmlWriter;
import io.stowline.access.AccessPolicy;
import io.stowline.transport.internal.xml.XmlCursor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.xml.stream.XMLStreamException;

/** Stored access policies in the XML of the service (its pages "Set Container ACL", "Set Queue ACL" and "Set Table ACL"). Stateless. */
final class SignedIdentifiersXml {

    private static final String ROOT = "SignedIdentifiers";

    /** The service takes seven digits at most. */
    private static final DateTimeFormatter PRECISE = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    /** The forms that other writers may have stored: a date alone, and a time of minutes, seconds or fractions. */
    private static final DateTimeFormatter STORED = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .optionalStart()
            .appendLiteral('T')
            .append(DateTimeFormatter.ISO_LOCAL_TIME)
            .appendOffsetId()
            .optionalEnd()
            .parseDefaulting(ChronoField.HOUR_OF_DAY, 0)
            .parseDefaulting(ChronoField.OFFSET_SECONDS, 0)
            .toFormatter(Locale.ROOT);

    private SignedIdentifiersXml() {}

    /** Writes the body of a request that replaces all policies. */
    static byte[] body(List<AccessPolicy> policies) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (XmlWriter xml = XmlWriter.toStream(bytes)) {
            xml.writeStartDocument();
            xml.writeStartElement(ROOT);
            for (AccessPolicy policy : policies) {
                xml.writeStartElement("SignedIdentifier");
                xml.writeStringElement("Id", policy.id());
                xml.writeStartElement("AccessPolicy");
                write(xml, "Start", text(policy.startsAt()));
                write(xml, "Expiry", text(policy.expiresAt()));
                write(xml, "Permission", policy.permissions());
                xml.writeEndElement();
                xml.writeEndElement();
            }
            xml.writeEndElement();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("the policies cannot be written as XML", e);
        }
        return bytes.toByteArray();
    }

    private static void write(XmlWriter xml, String element, String value) throws XMLStreamException {
        if (!value.isEmpty()) {
            xml.writeStringElement(element, value);
        }
    }

    private static String text(Optional<Instant> time) {
        return time.map(set -> set.get(ChronoField.NANO_OF_SECOND) == 0 ? set.toString() : PRECISE.format(set))
                .orElse("");
    }

    /** Reads the policies of a response. */
    static List<AccessPolicy> read(byte[] body) throws IOException {
        List<AccessPolicy> policies = new ArrayList<>();
        XmlCursor xml = new XmlCursor(body);
        if (!xml.root().equals(ROOT)) {
            throw new IOException("the response has no element " + ROOT);
        }
        while (xml.next()) {
            policies.add(policy(xml));
        }
        return policies;
    }

    private static AccessPolicy policy(XmlCursor identifier) throws IOException {
        String id = "";
        String permissions = "";
        Optional<Instant> start = Optional.empty();
        Optional<Instant> end = Optional.empty();
        while (identifier.next()) {
            switch (identifier.name()) {
                case "Id" -> id = text(identifier);
                case "AccessPolicy" -> {
                    while (identifier.next()) {
                        switch (identifier.name()) {
                            case "Start" -> start = time(identifier);
                            case "Expiry" -> end = time(identifier);
                            case "Permission" -> permissions = text(identifier);
                            default -> identifier.skip();
                        }
                    }
                }
                default -> identifier.skip();
            }
        }
        return new AccessPolicy(id, permissions, start, end);
    }

    private static String text(XmlCursor element) throws IOException {
        return element.text();
    }

    private static Optional<Instant> time(XmlCursor element) throws IOException {
        String text = text(element);
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Instant.from(STORED.parse(text)));
        } catch (DateTimeException e) {
            throw new IOException("a stored access policy has a time that is none: " + text, e);
        }
    }
}
