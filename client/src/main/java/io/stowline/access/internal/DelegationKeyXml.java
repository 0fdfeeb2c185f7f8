package io.stowline.access.internal;

import io.stowline.transport.internal.account.HmacSigner;
import io.stowline.transport.internal.xml.XmlCursor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Map;

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
     * @throws IOException if it is no key; the key is not shown
     */
    static DelegationKey read(byte[] body) throws IOException {
        Map<String, String> fields = new HashMap<>();
        String key = "";
        XmlCursor xml = new XmlCursor(body);
        if (!xml.root().equals("UserDelegationKey")) {
            throw new IOException("the response has no element UserDelegationKey");
        }
        while (xml.next()) {
            String name = xml.name();
            String parameter = PARAMETERS.get(name);
            if (parameter != null) {
                fields.put(parameter, xml.text());
            } else if (name.equals("Value")) {
                key = xml.text();
            } else {
                xml.skip();
            }
        }
        for (String parameter : DelegationKey.PARAMETERS) {
            if (fields.getOrDefault(parameter, "").isEmpty()) {
                throw new IOException("the user delegation key has no value for " + parameter);
            }
        }
        try {
            return new DelegationKey(fields, Instant.parse(fields.get("ske")), HmacSigner.of(key));
        } catch (DateTimeParseException e) {
            throw new IOException("the user delegation key has no time of its end");
        } catch (IllegalArgumentException e) {
            throw new IOException("the value of the user delegation key is not Base64 (not shown)");
        }
    }
}
