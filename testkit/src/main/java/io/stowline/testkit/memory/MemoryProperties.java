package io.stowline.testkit.memory;

import io.stowline.testkit.StorageService;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.wire.StorageRequest;
import io.stowline.testkit.internal.wire.XmlDocument;
import io.stowline.testkit.internal.wire.XmlDocument.XmlElement;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The properties of the services of the memory account, which it keeps and does not act on. Not thread-safe. */
final class MemoryProperties {

    private static final String ROOT = "StorageServiceProperties";
    private static final String OFF = "<Enabled>false</Enabled>";
    private static final String NO_RETENTION = "<RetentionPolicy>" + OFF + "</RetentionPolicy>";

    private final Map<StorageService, Map<String, String>> services = new EnumMap<>(StorageService.class);

    void clear() {
        services.clear();
    }

    /** Returns whether a request concerns the properties of a service. */
    static boolean isMeantBy(StorageRequest request) {
        return request.has("restype", "service")
                && request.has("comp", "properties")
                && (request.method().equals("GET") || request.method().equals("PUT"));
    }

    StubResponse respond(StorageRequest request) {
        Map<String, String> kept = services.computeIfAbsent(request.service(), MemoryProperties::initial);
        if (request.method().equals("GET")) {
            return MemoryResponse.xml(200, "<" + ROOT + ">" + String.join("", kept.values()) + "</" + ROOT + ">");
        }
        XmlDocument sent = XmlDocument.read(request.body());
        if (!sent.wellFormed() || sent.count(ROOT) != 1) {
            throw new RefusedOperation(400, "InvalidXmlDocument", "XML specified is not syntactically valid.");
        }
        for (XmlElement element : sent.elements()) {
            if (element.path().equals("/" + ROOT + "/" + element.name())) {
                kept.put(element.name(), markup(request, element.name()));
            }
        }
        return StubResponse.of(202);
    }

    private static String markup(StorageRequest request, String name) {
        Matcher markup = Pattern.compile("<" + name + "\\s*/>|<" + name + ">.*?</" + name + ">", Pattern.DOTALL)
                .matcher(new String(request.body().toArray(), StandardCharsets.UTF_8));
        return markup.find() ? markup.group() : "";
    }

    private static Map<String, String> initial(StorageService service) {
        Map<String, String> initial = new LinkedHashMap<>();
        initial.put(
                "Logging",
                "<Logging><Version>1.0</Version><Read>false</Read><Write>false</Write><Delete>false</Delete>"
                        + NO_RETENTION + "</Logging>");
        for (String metrics : new String[] {"HourMetrics", "MinuteMetrics"}) {
            initial.put(metrics, "<" + metrics + "><Version>1.0</Version>" + OFF + NO_RETENTION + "</" + metrics + ">");
        }
        initial.put("Cors", "<Cors/>");
        if (service == StorageService.BLOB) {
            initial.put("DeleteRetentionPolicy", "<DeleteRetentionPolicy>" + OFF + "</DeleteRetentionPolicy>");
            initial.put("StaticWebsite", "<StaticWebsite>" + OFF + "</StaticWebsite>");
        }
        return initial;
    }
}
