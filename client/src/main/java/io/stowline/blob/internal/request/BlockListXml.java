package io.stowline.blob.internal.request;

import io.stowline.blob.internal.request.BlobRequests.StagedBlock;
import io.stowline.transport.internal.xml.XmlCursor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

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
    static List<StagedBlock> uncommitted(byte[] body) throws IOException {
        List<StagedBlock> blocks = new ArrayList<>();
        XmlCursor xml = new XmlCursor(body);
        if (!xml.root().equals("BlockList")) {
            throw new IOException("the response has no list, the element BlockList");
        }
        while (xml.next()) {
            if (xml.name().equals("UncommittedBlocks")) {
                while (xml.next()) {
                    blocks.add(block(xml));
                }
            } else {
                xml.skip();
            }
        }
        return blocks;
    }

    private static StagedBlock block(XmlCursor block) throws IOException {
        String id = "";
        long size = -1;
        while (block.next()) {
            switch (block.name()) {
                case "Name" -> id = block.text();
                case "Size" -> size = Long.parseLong(block.text().strip());
                default -> block.skip();
            }
        }
        if (id.isEmpty() || size < 0) {
            throw new IOException("a block has no name or no size");
        }
        return new StagedBlock(id, size);
    }
}
