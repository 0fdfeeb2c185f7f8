package io.stowline.testkit.internal.wire;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Small XML document, read without any entity from outside.
 *
 * @param elements the elements in the order of their end tags, up to where the document is no XML
 * @param wellFormed whether it is XML to its end, and has no document type
 */
public record XmlDocument(List<XmlElement> elements, boolean wellFormed) {

    public static final String HEAD = "<?xml version=\"1.0\" encoding=\"utf-8\"?>";

    private static final XMLInputFactory FACTORY = factory();

    /**
     * Element of a document.
     *
     * @param path the names of the elements around it and its name, each behind a slash
     * @param text the text in the element itself, without that of inner elements
     */
    public record XmlElement(String path, String text) {

        public String name() {
            return path.substring(path.lastIndexOf('/') + 1);
        }
    }

    public static XmlDocument read(Bytes body) {
        List<XmlElement> elements = new ArrayList<>();
        try {
            return new XmlDocument(elements, read(FACTORY.createXMLStreamReader(body.stream()), elements));
        } catch (XMLStreamException e) {
            return new XmlDocument(elements, false);
        }
    }

    private static boolean read(XMLStreamReader reader, List<XmlElement> elements) throws XMLStreamException {
        Deque<StringBuilder> open = new ArrayDeque<>(List.of(new StringBuilder()));
        String path = "";
        boolean wellFormed = true;
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    path += "/" + reader.getLocalName();
                    open.push(new StringBuilder());
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    elements.add(new XmlElement(path, open.pop().toString()));
                    path = path.substring(0, path.lastIndexOf('/'));
                }
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA ->
                    open.element().append(reader.getText());
                case XMLStreamConstants.DTD -> wellFormed = false;
                default -> {
                    // Neither an element nor its text.
                }
            }
        }
        return wellFormed;
    }

    /** Returns the text of the first element of a name. */
    public Optional<String> text(String name) {
        return elements.stream()
                .filter(element -> element.name().equals(name))
                .map(XmlElement::text)
                .findFirst();
    }

    /** Counts the elements that have one of some names. */
    public long count(String... names) {
        Set<String> any = Set.of(names);
        return elements.stream().filter(element -> any.contains(element.name())).count();
    }

    /** Writes an element with a text. */
    public static String element(String name, String text) {
        String escaped = text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\r", "&#xD;");
        return "<" + name + ">" + escaped + "</" + name + ">";
    }

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        return factory;
    }
}
