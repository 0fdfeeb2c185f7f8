package io.stowline.blob.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.blob.internal.request.BlobRequests.StagedBlock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockListXmlTest {

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void writesTheBlocksInTheirOrder() {
        assertThat(new String(BlockListXml.body(List.of("AA==", "AQ==")), StandardCharsets.UTF_8))
                .isEqualTo("<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList><Latest>AA==</Latest>"
                        + "<Latest>AQ==</Latest></BlockList>");
    }

    @Test
    void readsUncommittedBlocksOnly() throws IOException {
        String xml =
                "\ufeff<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList><CommittedBlocks><Block><Name>CC==</Name><Size>1</Size>"
                        + "</Block></CommittedBlocks><UncommittedBlocks><Block><Name>AA==</Name><Size>4194304</Size></Block>"
                        + "<Block><Size>5</Size><Name>AQ==</Name><More/></Block></UncommittedBlocks></BlockList>";
        assertThat(BlockListXml.uncommitted(utf8(xml)))
                .containsExactly(new StagedBlock("AA==", 4194304), new StagedBlock("AQ==", 5));
    }

    @Test
    void readsAnEmptyList() throws IOException {
        assertThat(BlockListXml.uncommitted(utf8("<BlockList><UncommittedBlocks /></BlockList>")))
                .isEmpty();
        assertThat(BlockListXml.uncommitted(utf8("<BlockList/>"))).isEmpty();
    }

    @Test
    void refusesWhatIsNoList() {
        assertThatThrownBy(() -> BlockListXml.uncommitted(utf8("<Error/>"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> BlockListXml.uncommitted(utf8(
                        "<BlockList><UncommittedBlocks><Block><Size>1</Size></Block></UncommittedBlocks></BlockList>")))
                .isInstanceOf(IOException.class);
    }
}
