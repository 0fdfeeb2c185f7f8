package io.stowline.spring.boot.resource;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobRevision;
import io.stowline.error.NotFoundException;
import io.stowline.transport.ReadOrigin;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PinnedStreamTest {

    private static final String FIRST = "first!".repeat(50_000);
    private static final String SECOND = "second".repeat(50_000);

    private final TwoAccounts accounts = new TwoAccounts();

    @AfterEach
    void close() {
        accounts.close();
    }

    /** Returns the facts of the first version, in an account that keeps versions. */
    private BlobInfo first() {
        accounts.put("a.txt", FIRST);
        BlobInfo info = accounts.photos().info("a.txt");
        return new BlobInfo(
                info.name(),
                info.size(),
                info.etag(),
                info.lastModified(),
                info.type(),
                info.headers(),
                info.contentMd5(),
                info.metadata(),
                info.tier(),
                "version-1",
                null,
                ReadOrigin.primary());
    }

    /** Returns the container of the account, whose present versions are those of the memory. */
    private BlobContainer keeping(BlobRevision kept) {
        BlobContainer container = mock(BlobContainer.class);
        when(container.openDownload(eq("a.txt"), any()))
                .thenAnswer(call -> accounts.photos().openDownload("a.txt", call.getArgument(1)));
        when(container.versionOf("a.txt", "version-1")).thenReturn(kept);
        return container;
    }

    @Test
    @DisplayName("where the account keeps versions, the stream of a blob that was replaced goes on at its version")
    void keptVersion(@TempDir Path folder) throws IOException {
        BlobInfo info = first();
        Path content = Files.writeString(folder.resolve("kept"), FIRST);
        BlobRevision kept = mock(BlobRevision.class);
        when(kept.channel(any())).thenAnswer(call -> Files.newByteChannel(content));
        accounts.put("a.txt", SECOND);

        try (InputStream in = new PinnedStream(keeping(kept), info, "azure-blob://photos/a.txt")) {
            assertThat(in.skip(6)).isEqualTo(6);
            assertThat(new String(in.readAllBytes(), US_ASCII)).isEqualTo(FIRST.substring(6));
        }
        try (InputStream in = new PinnedStream(keeping(kept), info, "azure-blob://photos/a.txt").expect(12, 6)) {
            assertThat(in.skip(12)).isEqualTo(12);
            assertThat(new String(in.readAllBytes(), US_ASCII)).isEqualTo(FIRST.substring(12));
        }
    }

    @Test
    void aKeptVersionThatIsGoneIsAnError() {
        BlobInfo info = first();
        BlobRevision kept = mock(BlobRevision.class);
        when(kept.channel(any())).thenAnswer(call -> {
            throw missing();
        });
        accounts.put("a.txt", SECOND);

        assertThatThrownBy(new PinnedStream(keeping(kept), info, "azure-blob://photos/a.txt")::read)
                .isInstanceOf(BlobChangedException.class)
                .hasNoCause()
                .satisfies(failure ->
                        assertThat(failure.getSuppressed()).singleElement().isInstanceOf(NotFoundException.class));
    }

    private NotFoundException missing() {
        try {
            accounts.photos().info("missing");
        } catch (NotFoundException e) {
            return e;
        }
        throw new AssertionError("there is no such blob");
    }

    @Test
    @DisplayName("a part is requested when the stream is opened; a reader of something else gets that")
    void expectedParts() throws IOException {
        BlobInfo info = first();
        BlobContainer photos = accounts.photos();
        int before = accounts.main.requests().size();
        try (InputStream in = new PinnedStream(photos, info, "x").expect(600, 6)) {
            assertThat(accounts.main.requests()).hasSize(before + 1);
            in.skipNBytes(600);
            assertThat(new String(in.readNBytes(6), US_ASCII)).isEqualTo("first!");
            assertThat(accounts.main.requests()).hasSize(before + 1);
            assertThat(new String(in.readAllBytes(), US_ASCII)).isEqualTo(FIRST.substring(606));
        }
        try (InputStream in = new PinnedStream(photos, info, "x").expect(600, 6)) {
            assertThat(new String(in.readAllBytes(), US_ASCII)).isEqualTo(FIRST);
        }
        accounts.put("a.txt", SECOND);
        BlobInfo unversioned = accounts.photos().info("a.txt");
        accounts.put("a.txt", FIRST);
        assertThatThrownBy(() -> new PinnedStream(photos, unversioned, "x").expect(600, 6))
                .isInstanceOf(BlobChangedException.class);
    }
}
