package io.stowline.system.recordings;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** Element of an XML document, read with the JDK's DOM. The library and the SDK read with streams. */
record XmlTree(Element element) {

    static XmlTree of(byte[] document) {
        try {
            DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
            builder.setErrorHandler(null);
            return new XmlTree(builder.parse(new ByteArrayInputStream(document)).getDocumentElement());
        } catch (ParserConfigurationException | SAXException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    List<XmlTree> children() {
        List<XmlTree> found = new ArrayList<>();
        for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element child) {
                found.add(new XmlTree(child));
            }
        }
        return found;
    }

    List<XmlTree> children(String name) {
        return children().stream().filter(child -> child.name().equals(name)).toList();
    }

    @Nullable
    XmlTree child(String name) {
        List<XmlTree> found = children(name);
        return found.isEmpty() ? null : found.get(0);
    }

    /** Returns the text of a child, or {@code null} if there is none or it is empty. */
    @Nullable
    String text(String name) {
        XmlTree child = child(name);
        return child == null || child.text().isEmpty() ? null : child.text();
    }

    String text() {
        return element.getTextContent();
    }

    String name() {
        return element.getTagName();
    }

    /** Returns the texts of the children by their names. */
    Map<String, String> map() {
        Map<String, String> values = new LinkedHashMap<>();
        children().forEach(child -> values.put(child.name(), child.text()));
        return values;
    }
}
