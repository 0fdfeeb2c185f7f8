package io.stowline.testkit.memory;

import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.wire.StorageRequest;
import io.stowline.testkit.internal.wire.XmlDocument;
import io.stowline.testkit.internal.wire.XmlDocument.XmlElement;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** XML of queues and blobs. */
final class MemoryXml {

    private MemoryXml() {}

    static String metadata(Map<String, String> metadata) {
        StringBuilder xml = new StringBuilder("<Metadata>");
        metadata.forEach((name, value) -> xml.append(XmlDocument.element(name, value)));
        return xml.append("</Metadata>").toString();
    }

    /**
     * Returns the elements below the root in the order of the document.
     *
     * @throws RefusedOperation if the body is no XML
     */
    static List<XmlElement> children(StorageRequest request) {
        XmlDocument document = XmlDocument.read(request.body());
        if (!document.wellFormed()) {
            throw new RefusedOperation(400, "InvalidXmlDocument", "XML specified is not syntactically valid.");
        }
        return document.elements().stream()
                .filter(element ->
                        element.path().lastIndexOf('/') == element.path().indexOf('/', 1))
                .toList();
    }

    /** Lists the queues or containers whose names have the prefix that a request names. */
    static <T> StubResponse list(
            StorageRequest request, String kind, Map<String, T> all, Function<T, String> properties) {
        String prefix = request.query().getOrDefault("prefix", "");
        StringBuilder xml = new StringBuilder("<EnumerationResults><" + kind + "s>");
        all.forEach((name, one) -> {
            if (name.startsWith(prefix)) {
                xml.append("<" + kind + ">" + XmlDocument.element("Name", name) + properties.apply(one) + "</" + kind
                        + ">");
            }
        });
        return MemoryResponse.xml(200, xml + "</" + kind + "s><NextMarker/></EnumerationResults>");
    }
}
