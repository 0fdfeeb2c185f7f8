package io.stowline.blob.internal.request;

import com.azure.xml.XmlReader;
import com.azure.xml.XmlToken;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.xml.stream.XMLStreamException;

/** Tags of a blob in the XML of the service (its pages "Get Blob Tags" and "Find Blobs by Tags"). */
final class TagsXml {

    private TagsXml() {}

    /** Reads the body of a response. */
    static Map<String, String> tags(byte[] body) throws XMLStreamException {
        try (XmlReader xml = XmlReader.fromBytes(body)) {
            if (xml.nextElement() != XmlToken.START_ELEMENT || !xml.elementNameMatches("Tags")) {
                throw new XMLStreamException("the response has no tags, the element Tags");
            }
            return read(xml);
        }
    }

    /** Reads the element that the reader is at. */
    static Map<String, String> read(XmlReader xml) throws XMLStreamException {
        Map<String, String> tags = new LinkedHashMap<>();
        while (xml.nextElement() == XmlToken.START_ELEMENT) {
            if (xml.elementNameMatches("TagSet")) {
                while (xml.nextElement() == XmlToken.START_ELEMENT) {
                    add(tags, ListedElement.texts(xml));
                }
            } else {
                xml.skipElement();
            }
        }
        return tags;
    }

    private static void add(Map<String, String> tags, Map<String, String> tag) throws XMLStreamException {
        String key = tag.get("Key");
        if (key == null) {
            throw new XMLStreamException("a tag has no key");
        }
        tags.put(key, tag.getOrDefault("Value", ""));
    }
}
