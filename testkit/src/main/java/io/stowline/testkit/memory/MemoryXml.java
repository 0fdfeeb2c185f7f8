package io.stowline.testkit.memory;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** The XML of queues and blobs. */
final class MemoryXml {

    static final String HEAD = "<?xml version=\"1.0\" encoding=\"utf-8\"?>";

    private MemoryXml() {}

    static String element(String name, String text) {
        return "<" + name + ">" + escaped(text) + "</" + name + ">";
    }

    static String metadata(Map<String, String> metadata) {
        StringBuilder xml = new StringBuilder("<Metadata>");
        metadata.forEach((name, value) -> xml.append(element(name, value)));
        return xml.append("</Metadata>").toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\r", "&#xD;");
    }

    /**
     * Returns the texts of all elements below the root, with their names in document order.
     *
     * @throws RefusedOperation if the body is no XML
     */
    static List<Map.Entry<String, String>> children(byte[] xml) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            Element root = factory.newDocumentBuilder()
                    .parse(new ByteArrayInputStream(xml))
                    .getDocumentElement();
            List<Map.Entry<String, String>> children = new ArrayList<>();
            NodeList nodes = root.getChildNodes();
            for (int i = 0; i < nodes.getLength(); i++) {
                Node node = nodes.item(i);
                if (node instanceof Element child) {
                    children.add(Map.entry(child.getTagName(), child.getTextContent()));
                }
            }
            return children;
        } catch (javax.xml.parsers.ParserConfigurationException | org.xml.sax.SAXException | java.io.IOException e) {
            throw new RefusedOperation(400, "InvalidXmlDocument", "XML specified is not syntactically valid.");
        }
    }
}
