package io.stowline.benchmarks.side.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TransferFilesTest {

    private static final BlobSizes SIZES = new BlobSizes(1, 3, 1, 1, 1, 1);

    @Test
    void areMadeAndRemoved() throws Exception {
        Path folder;
        try (TransferFiles files = new TransferFiles(SIZES)) {
            folder = files.source().getParent();
            byte[] content = Files.readAllBytes(files.source());

            assertThat(content).hasSize(1 << 20).startsWith(Blobs.CONTENT).endsWith(Blobs.CONTENT);
            assertThat(files.names()).hasSize(3).isSorted().allSatisfy(name -> assertThat(
                            files.sources().resolve(name))
                    .hasBinaryContent(Arrays.copyOf(Blobs.CONTENT, Blobs.SMALL)));
            assertThat(files.target("one").getParent())
                    .isEqualTo(files.targets("one"))
                    .isEmptyDirectory();
        }
        assertThat(folder).doesNotExist();
    }

    @Test
    void haveTheContentOfStreams() throws Exception {
        try (TransferFiles files = new TransferFiles(SIZES);
                ContentStream stream = new ContentStream(1)) {
            assertThat(stream).hasBinaryContent(Files.readAllBytes(files.source()));
            assertThat(stream.read()).isEqualTo(-1);
        }
        try (ContentStream stream = new ContentStream(1)) {
            assertThat(stream.read()).isEqualTo(Blobs.CONTENT[0] & 0xFF);
            assertThat(stream.read()).isEqualTo(Blobs.CONTENT[1] & 0xFF);
        }
    }
}
