package io.stowline.blob.internal.request;

import com.azure.xml.XmlReader;
import com.azure.xml.XmlToken;
import io.stowline.blob.internal.request.BlobRequests.StagedBlock;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.xml.stream.XMLStreamException;

/** Lists of blocks in the XML of the service (its pages "Put Block List" and "Get Block List"). */
final class BlockListXml {

    private static final String START = "<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList>";
    private static final String END = "</BlockList>";
    private static final String LATEST = "<Latest>";
    private static final String LATEST_END = "</Latest>";

    private BlockListXml() {}

    /**
     * Writes the body of a commit.
     *
     * @param blockIds the ids in Base64, which XML carries as they are
     */
    static byte[] body(List<String> blockIds) {
        int length = START.length() + END.length();
        for (String id : blockIds) {
            length += LATEST.length() + id.length() + LATEST_END.length();
        }
        StringBuilder xml = new StringBuilder(length).append(START);
        for (String id : blockIds) {
            xml.append(LATEST).append(id).append(LATEST_END);
        }
        return xml.append(END).toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** Reads the uncommitted blocks of a response. */
    static List<StagedBlock> uncommitted(byte[] body) throws XMLStreamException {
        List<StagedBlock> blocks = new ArrayList<>();
        try (XmlReader xml = XmlReader.fromBytes(body)) {
            if (xml.nextElement() != XmlToken.START_ELEMENT || !xml.elementNameMatches("BlockList")) {
                throw new XMLStreamException("the response has no list, the element BlockList");
            }
            while (xml.nextElement() == XmlToken.START_ELEMENT) {
                if (xml.elementNameMatches("UncommittedBlocks")) {
                    while (xml.nextElement() == XmlToken.START_ELEMENT) {
                        blocks.add(block(xml));
                    }
                } else {
                    xml.skipElement();
                }
            }
        }
        return blocks;
    }

    private static StagedBlock block(XmlReader block) throws XMLStreamException {
        String id = "";
        long size = -1;
        while (block.nextElement() == XmlToken.START_ELEMENT) {
            switch (block.getElementName().getLocalPart()) {
                case "Name" -> id = Objects.requireNonNullElse(block.getStringElement(), "");
                case "Size" -> size = block.getLongElement();
                default -> block.skipElement();
            }
        }
        if (id.isEmpty() || size < 0) {
            throw new XMLStreamException("a block has no name or no size");
        }
        return new StagedBlock(id, size);
    }
}
