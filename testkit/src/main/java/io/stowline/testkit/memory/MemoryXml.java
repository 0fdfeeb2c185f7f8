package io.stowline.testkit.memory;

import io.stowline.testkit.internal.wire.StorageRequest;
import io.stowline.testkit.internal.wire.XmlDocument;
import io.stowline.testkit.internal.wire.XmlDocument.XmlElement;
import java.util.List;
import java.util.Map;

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
}
