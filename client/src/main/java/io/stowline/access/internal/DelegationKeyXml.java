package io.stowline.access.internal;

import com.azure.xml.XmlReader;
import com.azure.xml.XmlToken;
import io.stowline.transport.internal.account.HmacSigner;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import javax.xml.stream.XMLStreamException;

/** The XML of the service's page "Get User Delegation Key". Stateless. */
final class DelegationKeyXml {

    private static final Map<String, String> PARAMETERS = Map.of(
            "SignedOid", "skoid",
            "SignedTid", "sktid",
            "SignedStart", "skt",
            "SignedExpiry", "ske",
            "SignedService", "sks",
            "SignedVersion", "skv");

    private DelegationKeyXml() {}

    /** Writes the request for a key that is good for a time. */
    static byte[] request(Instant start, Instant end) {
        return ("<?xml version=\"1.0\" encoding=\"utf-8\"?><KeyInfo><Start>" + SasFields.time(start)
                        + "</Start><Expiry>" + SasFields.time(end) + "</Expiry></KeyInfo>")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Reads a response.
     *
     * @throws XMLStreamException if it is no key; the key is not shown
     */
    static DelegationKey read(byte[] body) throws XMLStreamException {
        Map<String, String> fields = new HashMap<>();
        String key = "";
        try (XmlReader xml = XmlReader.fromBytes(body)) {
            if (xml.nextElement() != XmlToken.START_ELEMENT || !xml.elementNameMatches("UserDelegationKey")) {
                throw new XMLStreamException("the response has no element UserDelegationKey");
            }
            while (xml.nextElement() == XmlToken.START_ELEMENT) {
                String name = xml.getElementName().getLocalPart();
                String parameter = PARAMETERS.get(name);
                if (parameter != null) {
                    fields.put(parameter, Objects.requireNonNullElse(xml.getStringElement(), ""));
                } else if (name.equals("Value")) {
                    key = Objects.requireNonNullElse(xml.getStringElement(), "");
                } else {
                    xml.skipElement();
                }
            }
        }
        for (String parameter : DelegationKey.PARAMETERS) {
            if (fields.getOrDefault(parameter, "").isEmpty()) {
                throw new XMLStreamException("the user delegation key has no value for " + parameter);
            }
        }
        try {
            return new DelegationKey(fields, Instant.parse(fields.get("ske")), HmacSigner.of(key));
        } catch (DateTimeParseException e) {
            throw new XMLStreamException("the user delegation key has no time of its end");
        } catch (IllegalArgumentException e) {
            throw new XMLStreamException("the value of the user delegation key is not Base64 (not shown)");
        }
    }
}
