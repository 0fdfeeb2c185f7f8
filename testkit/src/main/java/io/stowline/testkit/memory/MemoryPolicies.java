package io.stowline.testkit.memory;

import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.wire.StorageRequest;
import io.stowline.testkit.internal.wire.XmlDocument;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The stored access policies of a table, queue or container, which the memory account keeps and does not act on. Not thread-safe. */
final class MemoryPolicies {

    private static final String ROOT = "SignedIdentifiers";
    private static final int MAX_POLICIES = 5;
    private static final Pattern LIST = Pattern.compile("<" + ROOT + ">(.*)</" + ROOT + ">", Pattern.DOTALL);

    private String policies = "";

    /** Returns whether a request concerns stored access policies. */
    static boolean isMeantBy(StorageRequest request) {
        return request.has("comp", "acl")
                && (request.method().equals("GET") || request.method().equals("PUT"));
    }

    StubResponse respond(StorageRequest request) {
        if (request.method().equals("PUT")) {
            replace(request);
            return StubResponse.of(204);
        }
        return list();
    }

    StubResponse list() {
        return MemoryResponse.xml(200, "<" + ROOT + ">" + policies + "</" + ROOT + ">");
    }

    void replace(StorageRequest request) {
        String body = new String(request.body().toArray(), StandardCharsets.UTF_8);
        XmlDocument sent = XmlDocument.read(request.body());
        if (!body.isEmpty()
                && (!sent.wellFormed() || sent.count(ROOT) != 1 || sent.count("SignedIdentifier") > MAX_POLICIES)) {
            throw new RefusedOperation(400, "InvalidXmlDocument", "XML specified is not syntactically valid.");
        }
        Matcher list = LIST.matcher(body);
        policies = list.find() ? list.group(1) : "";
    }
}
