package io.stowline.blob.internal.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.Md5;
import io.stowline.blob.internal.base.SmallDisk;
import io.stowline.blob.internal.transfer.TransferMemory;
import io.stowline.blob.internal.transfer.TransferMemory.Share;
import io.stowline.blob.internal.upload.ByteSource.ArraySource;
import io.stowline.blob.internal.upload.ByteSource.FileSource;
import io.stowline.blob.internal.upload.Upload.FileOpening;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are read at once, and those of others, which stay open until they are closed. */
class OpenedFileTest {

    private static final int SMALL = FileSource.SMALL;
    private static final FileOpening READ = path -> FileChannel.open(path, StandardOpenOption.READ);

    private final SmallDisk disk = new SmallDisk();
    private final TransferMemory memory = new TransferMemory(SMALL);
    private final Share share = memory.share();

    @TempDir
    private Path folder;

    @AfterEach
    void nothingIsOpen() {
        assertThat(disk.open()).isZero();
    }

    private Path file(int length) throws IOException {
        byte[] content = new byte[length];
        new Random(length).nextBytes(content);
        return disk.on(Files.write(folder.resolve("a"), content));
    }

    private OpenedFile open(Path file, FileOpening opening, UploadSettings settings) throws IOException {
        return OpenedFile.of(file, opening, modified -> settings, share, UncheckedIOException::new);
    }

    private OpenedFile open(Path file, UploadSettings settings) throws IOException {
        return open(file, READ, settings);
    }

    @ParameterizedTest
    @DisplayName("TRANSFER-1: what fits into one small request is read at once, in memory that counts")
    @ValueSource(ints = {0, 1, SMALL - 1, SMALL})
    void small(int length) throws IOException {
        Path file = file(length);

        OpenedFile opened = open(file, UploadSettings.defaults());

        assertThat(opened.source()).isInstanceOf(ArraySource.class);
        assertThat(memory.now()).isEqualTo(length);
        assertThat(disk.open()).isZero();
        assertThat(opened.closed().blockOptional()).isEmpty();
        assertThat(opened.source().next(0, SMALL, Md5.begin()).md5())
                .isEqualTo(Md5.of(ByteBuffer.wrap(Files.readAllBytes(folder.resolve("a")))));
    }

    @Test
    @DisplayName("TRANSFER-1: a longer file, and one that is sent in blocks, stays open until it is closed")
    void large() throws IOException {
        UploadSettings tens = UploadSettings.builder().blockSize(10).build();
        for (OpenedFile opened : List.of(open(file(SMALL + 1), UploadSettings.defaults()), open(file(11), tens))) {
            assertThat(opened.source()).isInstanceOf(FileSource.class);
            assertThat(memory.now()).isZero();
            opened.closed().block();
        }
    }

    @Test
    @DisplayName("TRANSFER-3: a small file for which there is no memory is not read yet")
    void noMemory() throws IOException {
        assertThat(memory.share().tryTake(SMALL)).isTrue();

        OpenedFile opened = open(file(1), UploadSettings.defaults());

        assertThat(opened.source()).isInstanceOf(FileSource.class);
        assertThat(disk.open()).isOne();
        opened.closed().block();
    }

    @Test
    @DisplayName("TRANSFER-1: a small file that changes while it is read is refused and closed")
    void changes() throws IOException {
        Path file = file(100);
        FileOpening changing = new FileOpening() {
            private int looks;

            @Override
            public FileChannel open(Path path) throws IOException {
                return READ.open(path);
            }

            @Override
            public BasicFileAttributes attributes(Path path) throws IOException {
                if (looks++ > 0) {
                    Files.setLastModifiedTime(folder.resolve("a"), FileTime.fromMillis(1));
                }
                return Files.readAttributes(path, BasicFileAttributes.class);
            }
        };

        assertThatIOException()
                .isThrownBy(() -> open(file, changing, UploadSettings.defaults()))
                .withMessageContaining("was modified at");
    }

    @Test
    @DisplayName("TRANSFER-1: a file that was empty when it was looked at and has content now has changed")
    void noLongerEmpty() throws IOException {
        Path file = file(0);

        assertThatIOException()
                .isThrownBy(() -> open(
                        file,
                        path -> {
                            Files.write(folder.resolve("a"), new byte[1]);
                            return READ.open(path);
                        },
                        UploadSettings.defaults()))
                .withMessageContaining("had 0 bytes when its upload began, and has 1 now");
    }

    @Test
    @DisplayName("a file is closed when its settings cannot be made, and they get the time of the file")
    void settingsThatFail() throws IOException {
        Path file = file(100);
        Files.setLastModifiedTime(folder.resolve("a"), FileTime.fromMillis(1_700_000_000_000L));

        assertThatIllegalStateException()
                .isThrownBy(() -> OpenedFile.of(
                        file,
                        READ,
                        modified -> {
                            throw new IllegalStateException(modified.toString());
                        },
                        share,
                        UncheckedIOException::new))
                .withMessage(Instant.ofEpochMilli(1_700_000_000_000L).toString());
    }
}
