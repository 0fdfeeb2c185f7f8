package io.stowline.blob.internal.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.TransferReport;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Files that another program changes while they are uploaded. */
@Timeout(60)
class ChangingFilesTest {

    private static final int LENGTH = 95;
    private static final int BLOCKS = 10;

    private final StubBlobs blobs = new StubBlobs(ChangingFilesTest::usual);

    @TempDir
    private Path folder;

    /** A change of a file; its time stays where that is possible. */
    private enum Change {
        SHRINKS {
            @Override
            void to(Path file) throws IOException {
                Files.write(file, Arrays.copyOf(Files.readAllBytes(file), LENGTH / 2));
            }
        },
        BECOMES_EMPTY {
            @Override
            void to(Path file) throws IOException {
                Files.write(file, new byte[0]);
            }
        },
        GROWS {
            @Override
            void to(Path file) throws IOException {
                Files.write(file, new byte[1], StandardOpenOption.APPEND);
            }
        },
        VANISHES {
            @Override
            void to(Path file) throws IOException {
                Files.delete(file);
            }
        },
        IS_REPLACED {
            @Override
            void to(Path file) throws IOException {
                Path other = Files.write(file.resolveSibling("other"), new byte[LENGTH]);
                Files.setLastModifiedTime(other, Files.getLastModifiedTime(file));
                Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
            }
        };

        abstract void to(Path file) throws IOException;
    }

    private static Stream<Arguments> changes() {
        return Stream.of(Change.values())
                .flatMap(change -> Stream.of(1, BLOCKS / 2, BLOCKS).map(block -> Arguments.of(change, block)));
    }

    @AfterEach
    void close() {
        blobs.close();
    }

    private static BlobStubResponse usual(StubRequest request) {
        return request.method().equals("PUT")
                ? BlobStubResponse.of(201)
                : BlobStubResponse.refusal(404, "BlobNotFound");
    }

    private long blocks() {
        return blobs.requested().stream()
                .filter(requested -> requested.query().contains("blockid="))
                .count();
    }

    @ParameterizedTest(name = "{0} at block {1}")
    @MethodSource("changes")
    @DisplayName(
            "TRANSFER-1: a file that changes during its upload is not committed, and the next upload works at once")
    void commitsNothing(Change change, int block) throws IOException {
        assumeTrue(FileSystems.getDefault().supportedFileAttributeViews().contains("posix"));
        Path file = Files.write(folder.resolve("a"), new byte[LENGTH]);
        FileTime before = Files.getLastModifiedTime(file);
        blobs.respond(request -> {
            if (request.query().contains("blockid=") && blocks() == block) {
                try {
                    change.to(file);
                    if (Files.exists(file)) {
                        Files.setLastModifiedTime(file, before);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return usual(request);
        });

        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> blobs.container()
                        .upload(file, "a", with -> with.blockSize(10).parallelism(1)))
                .withMessageContaining("photos/a")
                .withMessageContaining(file.toString());

        assertThat(blobs.requested("PUT", "blocklist")).isEmpty();
        assertThat(blobs.memory().now()).isZero();
        Files.write(file, new byte[LENGTH]);
        assertThat(blobs.container()
                        .upload(file, "a", with -> with.blockSize(10))
                        .size())
                .isEqualTo(LENGTH);
    }

    @ParameterizedTest
    @EnumSource(Change.class)
    @DisplayName(
            "TRANSFER-4: a file of a directory that changes once it was read has a whole blob, with the time it had")
    void isWholeOnceRead(Change change) throws IOException {
        Path file = Files.write(folder.resolve("a"), new byte[LENGTH]);
        FileTime before = FileTime.fromMillis(1_700_000_000_000L);
        Files.setLastModifiedTime(file, before);
        blobs.respond(request -> {
            if (request.method().equals("PUT")) {
                try {
                    change.to(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return usual(request);
        });

        TransferReport report = blobs.container()
                .uploadDirectory(
                        folder, "d", with -> with.overwrite(Overwrite.ALWAYS).include("a"))
                .join();

        assertThat(report.transferred()).isOne();
        assertThat(report.bytes()).isEqualTo(LENGTH);
        assertThat(blobs.requested("PUT", "")).singleElement().satisfies(put -> {
            assertThat(put.body()).hasSize(LENGTH);
            assertThat(put.header("x-ms-meta-stowlinemodified")).isNotNull();
        });
    }
}
