package io.stowline.advisor.internal.page;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** A page as a strict parser reads it: of XML, which forgives nothing. */
final class PageDocument {

    private final List<Element> elements = new ArrayList<>();
    private final String text;

    PageDocument(String html) {
        try {
            Document document = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(html)));
            NodeList all = document.getElementsByTagName("*");
            for (int i = 0; i < all.getLength(); i++) {
                elements.add((Element) all.item(i));
            }
            text = document.getDocumentElement().getTextContent();
        } catch (SAXException | IOException | ParserConfigurationException e) {
            throw new AssertionError("the page is not well-formed: " + e.getMessage(), e);
        }
    }

    List<Element> elements(String name) {
        return elements.stream()
                .filter(element -> element.getTagName().equals(name))
                .toList();
    }

    Element byId(String id) {
        return elements.stream()
                .filter(element -> element.getAttribute("id").equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no element " + id));
    }

    List<String> values(String attribute) {
        return elements.stream()
                .filter(element -> element.hasAttribute(attribute))
                .map(element -> element.getAttribute(attribute))
                .toList();
    }

    /** Returns the elements with the names of their attributes, isolated words apart. */
    List<String> structure() {
        return elements.stream()
                .filter(element -> !element.getTagName().equals("bdi"))
                .map(PageDocument::shape)
                .toList();
    }

    private static String shape(Element element) {
        StringBuilder shape = new StringBuilder(element.getTagName());
        for (int i = 0; i < element.getAttributes().getLength(); i++) {
            Node attribute = element.getAttributes().item(i);
            shape.append(' ').append(attribute.getNodeName());
        }
        return shape.toString();
    }

    String text() {
        return text;
    }
}
