package io.stowline.testkit.internal.strict.request;

import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Goes over a small XML document, without any entity from outside. */
public final class XmlReader {

    private static final XMLInputFactory FACTORY = factory();

    private XmlReader() {}

    /** Is notified of the elements of a document. */
    public interface Listener {

        default void started(String name) {}

        default void text(String text) {}

        default void ended(String name) {}
    }

    /** Reads a document up to its end, or to where it is no XML. */
    public static void read(Bytes body, Listener listener) {
        try {
            XMLStreamReader reader = FACTORY.createXMLStreamReader(body.stream());
            while (reader.hasNext()) {
                tell(reader.next(), reader, listener);
            }
        } catch (XMLStreamException e) {
            // The emulator refuses what is no XML.
        }
    }

    private static void tell(int event, XMLStreamReader reader, Listener listener) {
        if (event == XMLStreamConstants.START_ELEMENT) {
            listener.started(reader.getLocalName());
        } else if (event == XMLStreamConstants.END_ELEMENT) {
            listener.ended(reader.getLocalName());
        } else if (reader.hasText() && event != XMLStreamConstants.COMMENT) {
            listener.text(reader.getText());
        }
    }

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        return factory;
    }
}
