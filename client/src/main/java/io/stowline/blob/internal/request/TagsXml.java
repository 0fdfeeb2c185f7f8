package io.stowline.blob.internal.request;

import io.stowline.transport.internal.xml.XmlCursor;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Tags of a blob in the XML of the service (its pages "Get Blob Tags" and "Find Blobs by Tags"). */
final class TagsXml {

    private TagsXml() {}

    /** Reads the body of a response. */
    static Map<String, String> tags(byte[] body) throws IOException {
        XmlCursor xml = new XmlCursor(body);
        if (!xml.root().equals("Tags")) {
            throw new IOException("the response has no tags, the element Tags");
        }
        return read(xml);
    }

    /** Reads the element that the reader is at. */
    static Map<String, String> read(XmlCursor xml) throws IOException {
        Map<String, String> tags = new LinkedHashMap<>();
        while (xml.next()) {
            if (xml.name().equals("TagSet")) {
                while (xml.next()) {
                    add(tags, ListedElement.texts(xml));
                }
            } else {
                xml.skip();
            }
        }
        return tags;
    }

    private static void add(Map<String, String> tags, Map<String, String> tag) throws IOException {
        String key = tag.get("Key");
        if (key == null) {
            throw new IOException("a tag has no key");
        }
        tags.put(key, tag.getOrDefault("Value", ""));
    }
}
