package io.stowline.benchmarks.side.stub;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.benchmarks.side.StubProcess;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Blobs;
import io.stowline.benchmarks.side.work.ContentStream;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The client understands what the container of the stub says, and finds the MD5 right where there is one. */
class StubContainerTest {

    private StubServer server;
    private Stowline storage;
    private BlobContainer photos;

    @BeforeEach
    void start() throws InterruptedException {
        server = StubServer.start(Duration.ZERO);
        Account account = StubProcess.account(server.port());
        storage = Stowline.builder()
                .tableEndpoint(account.endpoint())
                .blobEndpoint(account.endpoint())
                .accountName(account.name())
                .credential(account.credential())
                .build();
        photos = storage.container(Blobs.CONTAINER);
    }

    @AfterEach
    void stop() {
        storage.close();
        server.close();
    }

    @Test
    void hasBlobsOfTheLengthInTheirNames() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BlobInfo blob = photos.downloadTo(Blobs.longName(20, true), out);

        assertThat(blob.contentMd5()).isNotNull();
        try (InputStream content = new ContentStream(20)) {
            assertThat(out.toByteArray()).isEqualTo(content.readAllBytes());
        }
        assertThat(photos.download(Blobs.name(7))).isEqualTo(Blobs.CONTENT);
        assertThat(photos.download(Blobs.folder(5, true) + Blobs.smallName(3)))
                .isEqualTo(Arrays.copyOf(Blobs.CONTENT, Blobs.SMALL));
    }

    @Test
    void givesAnyPart() throws Exception {
        int from = (11 << 20) + 12_345;
        byte[] all;
        try (InputStream content = new ContentStream(20)) {
            all = content.readAllBytes();
        }
        assertThat(photos.download(Blobs.longName(20, false), with -> with.range(from, 100_000)))
                .isEqualTo(Arrays.copyOfRange(all, from, from + 100_000));
        StubContent content = new StubContent();
        byte[] max = new byte[(20 << 20) - 5];
        content.bytes(new ByteRange(5, (20 << 20) - 1)).readBytes(max);
        assertThat(max).isEqualTo(Arrays.copyOfRange(all, 5, all.length));
    }

    @Test
    void listsADirectoryInPages() {
        int blobs = StubListing.PAGE + 2;
        try (Stream<BlobInfo> found = photos.stream(Blobs.folder(blobs, true))) {
            List<BlobInfo> all = found.toList();
            assertThat(all).hasSize(blobs).extracting(BlobInfo::name).isSorted().doesNotHaveDuplicates();
            assertThat(all).allSatisfy(blob -> {
                assertThat(blob.size()).isEqualTo(Blobs.SMALL);
                assertThat(blob.contentMd5()).isNotNull();
            });
        }
        assertThat(photos.deleteDirectory(Blobs.folder(blobs, false), with -> with.dryRun())
                        .join()
                        .deleted())
                .as("in pages as transfers ask for")
                .isEqualTo(blobs);
        try (Stream<BlobInfo> found = photos.stream("2026/")) {
            assertThat(found).isEmpty();
        }
    }
}
