package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.system.UnknownLengthProcess.Content;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Uploads of unknown length in a process with little memory. */
@AzuriteTest
@Timeout(600)
class UnknownLengthIT {

    private static final int MIB = 1 << 20;
    private static final int PIECE = 1 << 16;

    private final String name = "u" + UUID.randomUUID().toString().substring(0, 20);

    @TempDir
    Path folder;

    private void uploaded(Azurite azurite, int blobs, long bytes, int read) throws Exception {
        try (Stowline storage = Stowline.connect(azurite.connectionString())) {
            BlobContainer container = storage.container(name);
            container.create();
            Path log = folder.resolve("child.log");
            Process process = ForkedJvm.of(
                            UnknownLengthProcess.class,
                            List.of("-Xmx128m", "-XX:MaxDirectMemorySize=64m"),
                            azurite.connectionString(),
                            name,
                            String.valueOf(blobs),
                            String.valueOf(bytes))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            try {
                assertThat(process.waitFor(8, TimeUnit.MINUTES)).isTrue();
            } finally {
                process.destroyForcibly();
            }
            assertThat(Files.readString(log)).doesNotContain("OutOfMemory");
            assertThat(process.exitValue()).as(Files.readString(log)).isZero();
            for (int i = 0; i < blobs; i++) {
                assertThat(container.info(String.valueOf(i)).size()).isEqualTo(bytes);
            }
            for (int i = 0; i < read; i++) {
                compare(container, i, bytes);
            }
        }
    }

    private static void compare(BlobContainer container, int blob, long bytes) throws Exception {
        try (InputStream found = container.open(String.valueOf(blob));
                InputStream expected = new Content(blob, bytes)) {
            byte[] here = found.readNBytes(PIECE);
            while (here.length > 0) {
                assertThat(Arrays.equals(here, expected.readNBytes(PIECE)))
                        .as("the content of blob %d", blob)
                        .isTrue();
                here = found.readNBytes(PIECE);
            }
            assertThat(expected.read()).isNegative();
        }
    }

    @Test
    @DisplayName(
            "TRANSFER-3: 20 uploads of unknown length at once fit into a heap of 128 MiB and 64 MiB of direct memory")
    void manyAtOnce(Azurite azurite) throws Exception {
        uploaded(azurite, 20, 9 * MIB + 5, 2);
    }

    @Test
    @Tag("soak")
    @DisplayName("TRANSFER-3: streams and publishers of 512 MiB fit into a heap of 128 MiB and 64 MiB of direct memory")
    void muchOfIt(Azurite azurite) throws Exception {
        uploaded(azurite, 2, 512L * MIB, 2);
    }
}
