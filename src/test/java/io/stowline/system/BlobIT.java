package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.AccessTier;
import com.azure.storage.blob.models.BlobType;
import com.azure.storage.blob.models.ParallelTransferOptions;
import com.azure.storage.blob.options.BlobParallelUploadOptions;
import io.stowline.blob.AppendBlob;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobHeaders;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobTree;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.internal.base.BlobService;
import io.stowline.blob.internal.client.DefaultBlobContainer;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.account.ConnectionString;
import io.stowline.transport.internal.account.StorageAccount;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.client.ClientSettings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Containers and blobs, beside the SDK's own client. */
@Timeout(120)
class BlobIT extends StorageTest {

    private static final int MIB = 1024 * 1024;

    private BlobContainer photos;
    private BlobContainerClient sdk;

    @TempDir
    private Path folder;

    @BeforeEach
    void makeContainer() {
        photos = freshContainer();
        photos.create();
        sdk = new BlobServiceClientBuilder()
                .connectionString(connectionString())
                .buildClient()
                .getBlobContainerClient(photos.name());
    }

    @AfterEach
    void removeContainer() {
        photos.dropIfExists();
    }

    private BlobContainer freshContainer() {
        return storage.container("c" + UUID.randomUUID());
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String md5(byte[] content) {
        return Base64.getEncoder().encodeToString(md5().digest(content));
    }

    @Test
    void makesAndRemovesContainers() {
        BlobContainer other = freshContainer();

        assertThat(other.exists()).isFalse();
        assertThat(other.createIfMissing()).isTrue();
        assertThat(other.createIfMissing()).isFalse();
        assertThat(other.exists()).isTrue();
        assertThat(storage.listContainers()).contains(other.name());
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(other::create)
                .satisfies(e -> assertThat(e.failure().errorCode()).isEqualTo("ContainerAlreadyExists"))
                .satisfies(e -> assertThat(e.failure().resource()).isEqualTo(other.name()));
        other.setMetadata(Map.of("owner", "me"));
        assertThat(other.info().metadata()).containsEntry("owner", "me");
        other.drop();
        assertThat(storage.reactive().listContainers().block()).doesNotContain(other.name());
        assertThat(other.dropIfExists()).isFalse();
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(other::drop);
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> other.download("a"));
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> other.exists("a"))
                .satisfies(e -> assertThat(e.failure().errorCode()).isEqualTo("ContainerNotFound"));
    }

    @Test
    @DisplayName("TRANSFER-5: overwriting is a choice")
    void uploadsAndDownloads() throws IOException {
        byte[] content = "hello".getBytes(StandardCharsets.UTF_8);
        Path file = Files.write(folder.resolve("a.txt"), content);

        BlobWriteResult uploaded = photos.upload(file, "a.txt");
        assertThat(uploaded.size()).isEqualTo(5);
        assertThat(photos.download("a.txt")).isEqualTo(content);
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> photos.upload(content, "a.txt"))
                .satisfies(e -> assertThat(e.failure().errorCode()).isEqualTo("BlobAlreadyExists"));
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> photos.upload(content, "a.txt", with -> with.blockSize(2)));
        BlobWriteResult second = photos.upload(
                new ByteArrayInputStream(content),
                "a.txt",
                with -> with.overwrite().blockSize(2).contentType("text/plain").metadata(Map.of("owner", "me")));
        assertThat(second.etag()).isNotEqualTo(uploaded.etag());
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> photos.upload(content, "a.txt", with -> with.ifMatch(uploaded.etag())));
        photos.upload(content, "a.txt", with -> with.ifMatch(second.etag()));

        Path copy = folder.resolve("copy.txt");
        assertThat(photos.downloadTo("a.txt", copy).contentMd5()).isEqualTo(md5(content));
        assertThat(copy).hasBinaryContent(content);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        photos.downloadTo("a.txt", out);
        assertThat(out.toByteArray()).isEqualTo(content);
        try (InputStream in = photos.open("a.txt")) {
            assertThat(in.readAllBytes()).isEqualTo(content);
        }
    }

    @Test
    void knowsAndChangesTheFacts() {
        assertThat(photos.exists("a")).isFalse();
        assertThat(photos.find("a")).isEmpty();
        BlobWriteResult uploaded = photos.upload(bytes(25), "a", with -> with.blockSize(10)
                .contentType("image/jpeg")
                .metadata(Map.of("Owner", "a b")));

        BlobInfo info = photos.info("a");
        assertThat(info)
                .isEqualTo(new BlobInfo(
                        "a",
                        25,
                        uploaded.etag(),
                        uploaded.lastModified(),
                        BlobType.BLOCK_BLOB,
                        BlobHeaders.none().toBuilder().contentType("image/jpeg").build(),
                        md5(bytes(25)),
                        info.metadata(),
                        AccessTier.HOT,
                        null,
                        null,
                        ReadOrigin.primary()));
        assertThat(info.metadata()).hasSize(1).containsValue("a b");

        String changed = photos.setMetadata("a", Map.of("x", "1"), info.etag()).etag();
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> photos.setMetadata("a", Map.of("x", "2"), info.etag()));
        String again =
                photos.setHeaders("a", with -> with.cacheControl("no-cache")).etag();
        assertThat(again).isNotEqualTo(changed);
        assertThat(photos.find("a")).hasValueSatisfying(found -> {
            assertThat(found.etag()).isEqualTo(again);
            assertThat(found.metadata()).isEqualTo(Map.of("x", "1"));
            assertThat(found.headers().contentType()).isEqualTo("image/jpeg");
            assertThat(found.headers().cacheControl()).isEqualTo("no-cache");
            assertThat(found.contentMd5()).isEqualTo(md5(bytes(25)));
        });

        assertThatExceptionOfType(PreconditionFailedException.class).isThrownBy(() -> photos.delete("a", changed));
        photos.delete("a", again);
        assertThat(photos.deleteIfExists("a")).isFalse();
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> photos.delete("a"));
    }

    @Test
    @DisplayName("MAP-3: the name that is given is the name that is stored, whatever a URL would make of it")
    void keepsDifficultNames() {
        List<String> names = List.of(
                "a b+c",
                "100%",
                "%41",
                "%2F",
                "a?b#c&d=e;f",
                "é 日本語 😀",
                "x//y",
                "folder/",
                "it's \"quoted\"",
                "a..b",
                "@:$!*()");
        for (String name : names) {
            byte[] content = name.getBytes(StandardCharsets.UTF_8);
            photos.upload(content, name);
            assertThat(photos.download(name)).as(name).isEqualTo(content);
            assertThat(photos.info(name).name()).isEqualTo(name);
        }

        try (Stream<BlobInfo> all = photos.stream()) {
            assertThat(all.map(BlobInfo::name)).containsExactlyInAnyOrderElementsOf(names);
        }
        assertThat(sdk.listBlobs().stream().map(item -> item.getName())).containsExactlyInAnyOrderElementsOf(names);
        for (String name : names) {
            photos.delete(name);
        }
        try (Stream<BlobInfo> all = photos.stream()) {
            assertThat(all).isEmpty();
        }
    }

    @Test
    void listsByPrefixAndByLevel() {
        for (String name : List.of("a.txt", "2026/may/1", "2026/may/2", "2026/june/1", "2026/index")) {
            photos.upload(new byte[1], name, with -> with.metadata(Map.of("owner", "me")));
        }

        try (Stream<BlobInfo> may = photos.stream("2026/may/")) {
            assertThat(may.toList())
                    .allSatisfy(blob -> assertThat(blob.metadata()).containsEntry("owner", "me"))
                    .allSatisfy(blob -> assertThat(photos.info(blob.name())).isEqualTo(blob))
                    .extracting(BlobInfo::name)
                    .containsExactly("2026/may/1", "2026/may/2");
        }
        try (Stream<BlobTree.Entry> level = photos.entries("2026/", "/")) {
            assertThat(level.map(entry -> entry.name() + " " + entry.isPrefix()))
                    .containsExactlyInAnyOrder("2026/index false", "2026/june/ true", "2026/may/ true");
        }
        assertThat(photos.reactive().stream("none").collectList().block()).isEmpty();
    }

    @Test
    @DisplayName("TRANSFER-3: a long stream of unknown length goes up and down within a bounded number of bytes")
    void streamsLongContent() throws IOException {
        RetrySettings retry = RetrySettings.defaults();
        StorageAccount account = ConnectionString.parse(connectionString());
        ClientRuntime runtime = ClientRuntime.open(account, ClientSettings.DEFAULT.with(retry));
        BlobService service = new BlobService(account, runtime, retry);
        BlobContainer watched = DefaultBlobContainer.of(service, photos.name());
        MessageDigest up = md5();
        MessageDigest down = md5();
        try {
            BlobWriteResult uploaded = watched.upload(
                    new DigestInputStream(new Endless(64 * MIB), up), "big.bin", with -> with.blockSize(4 * MIB)
                            .parallelism(3));
            assertThat(uploaded.size()).isEqualTo(64 * MIB);
            assertThat(service.memory().max()).isBetween(8L * MIB, 16L * MIB);

            BlobInfo info =
                    watched.downloadTo("big.bin", new DigestOutputStream(OutputStream.nullOutputStream(), down));
            byte[] sent = up.digest();
            assertThat(info.contentMd5()).isEqualTo(Base64.getEncoder().encodeToString(sent));
            assertThat(down.digest()).isEqualTo(sent);
            assertThat(service.memory().max()).isBetween(16L * MIB, 48L * MIB);
            assertThat(service.memory().now()).isZero();
        } finally {
            runtime.close(Duration.ofSeconds(20)).block();
        }
    }

    /** Random bytes that are never held in memory. */
    private static final class Endless extends InputStream {

        private final Random random = new Random(1);
        private int left;

        Endless(int length) {
            left = length;
        }

        @Override
        public int read() {
            return left-- > 0 ? random.nextInt(256) : -1;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (left == 0) {
                return -1;
            }
            byte[] some = new byte[Math.min(left, Math.min(length, 100_000))];
            random.nextBytes(some);
            System.arraycopy(some, 0, target, offset, some.length);
            left -= some.length;
            return some.length;
        }
    }

    @Test
    @DisplayName("TRANSFER-5: a source that fails in the middle leaves the blob as it was")
    void failedUploadsChangeNothing() {
        photos.upload(bytes(10), "a");
        InputStream broken = new InputStream() {
            private int left = 95;

            @Override
            public int read() throws IOException {
                if (left-- == 0) {
                    throw new IOException("gone");
                }
                return 1;
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                target[offset] = (byte) read();
                return 1;
            }
        };

        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() ->
                        photos.upload(broken, "a", with -> with.overwrite().blockSize(10)));
        assertThat(photos.download("a")).isEqualTo(bytes(10));
    }

    @Test
    @DisplayName("DESIGN: the SDK reads what we write, and the other way round")
    void worksTwoWaysWithTheSdk() {
        byte[] content = bytes(3 * MIB + 7);
        photos.upload(content, "ours one+two%41", with -> with.blockSize(MIB)
                .contentType("text/plain")
                .metadata(Map.of("a", "b")));
        var theirs = sdk.getBlobClient("ours one+two%41");
        assertThat(theirs.downloadContent().toBytes()).isEqualTo(content);
        assertThat(theirs.getProperties().getContentType()).isEqualTo("text/plain");
        assertThat(theirs.getProperties().getMetadata()).containsEntry("a", "b");
        assertThat(theirs.getProperties().getContentMd5()).isEqualTo(md5().digest(content));

        sdk.getBlobClient("theirs")
                .uploadWithResponse(
                        new BlobParallelUploadOptions(BinaryData.fromBytes(content))
                                .setParallelTransferOptions(new ParallelTransferOptions()
                                        .setBlockSizeLong((long) MIB)
                                        .setMaxSingleUploadSizeLong((long) MIB)),
                        null,
                        null);
        assertThat(photos.download("theirs")).isEqualTo(content);
        assertThat(photos.unwrap().getBlobAsyncClient("theirs").exists().block())
                .isTrue();
    }

    @Test
    @DisplayName("T1: blocks that an unfinished upload of the SDK left do not stand in the way")
    void goesOnAfterTheSdk() {
        String id =
                Base64.getEncoder().encodeToString(UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8));
        sdk.getBlobClient("a").getBlockBlobClient().stageBlock(id, BinaryData.fromBytes(bytes(10)));

        photos.upload(bytes(25), "a", with -> with.blockSize(10));
        assertThat(photos.download("a")).isEqualTo(bytes(25));
    }

    @Test
    @DisplayName("OUTCOME-6: appends carry their position")
    void appends() {
        AppendBlob log = photos.appendBlob("log.txt");
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> log.append(bytes(1)));
        assertThat(log.createIfMissing()).isTrue();
        assertThat(log.createIfMissing()).isFalse();

        BlobWriteResult first = log.append("one\n".getBytes(StandardCharsets.UTF_8));
        BlobWriteResult second =
                log.reactive().append("two\n".getBytes(StandardCharsets.UTF_8)).block();
        assertThat(first.offset()).isZero();
        assertThat(second).isNotNull();
        assertThat(second.offset()).isEqualTo(4);
        assertThat(second.etag()).isEqualTo(photos.info("log.txt").etag());
        photos.appendBlob("log.txt").append("other\n".getBytes(StandardCharsets.UTF_8));
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> log.append("three\n".getBytes(StandardCharsets.UTF_8)))
                .withMessageContaining("for position 8")
                .withMessageContaining("the blob has 14 bytes");
        log.append("three\n".getBytes(StandardCharsets.UTF_8));

        assertThat(new String(photos.download("log.txt"), StandardCharsets.UTF_8))
                .isEqualTo("one\ntwo\nother\nthree\n");
        assertThat(photos.info("log.txt").type()).isEqualTo(BlobType.APPEND_BLOB);
        photos.upload(bytes(1), "block");
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> photos.appendBlob("block").append(bytes(1)));
    }

    @Test
    void worksThroughTheReactiveFace() throws IOException {
        byte[] content = bytes(30);
        Path file = Files.write(folder.resolve("a"), content);
        Path copy = folder.resolve("copy");
        BlobInfo info = photos.reactive()
                .upload(file, "a", with -> with.blockSize(10))
                .then(photos.reactive().upload(new ByteArrayInputStream(content), "b"))
                .then(photos.reactive().downloadTo("a", copy))
                .block();

        assertThat(info).usingRecursiveComparison().ignoringFields("tier").isEqualTo(photos.info("a"));
        assertThat(copy).hasBinaryContent(content);
        assertThat(photos.reactive().download("b").block()).isEqualTo(content);
        assertThat(photos.reactive().find("none").blockOptional()).isEmpty();
        assertThat(photos.reactive()
                        .upload(content, "b")
                        .onErrorReturn(
                                ConflictException.class, BlobWriteResult.confirmed("", info.lastModified(), 0, false))
                        .block())
                .extracting(BlobWriteResult::size)
                .isEqualTo(0L);
        assertThat(Flux.range(0, 50)
                        .flatMap(i -> photos.reactive().upload(bytes(i), "many/" + i), 50)
                        .count()
                        .block())
                .isEqualTo(50);
        assertThat(photos.reactive().stream("many/").count().block()).isEqualTo(50);
    }

    @Test
    @DisplayName(
            "PERMIT-1: many transfers at once share a small number of connections without standing in each other's way")
    void manyTransfersAtOnce() {
        byte[] content = bytes(2 * MIB);
        photos.upload(content, "source");

        List<BlobWriteResult> copies = Flux.range(0, 24)
                .flatMap(
                        i -> Mono.fromCallable(() -> {
                                    try (InputStream in = photos.open("source")) {
                                        return photos.upload(in, "copy" + i, with -> with.blockSize(MIB / 4));
                                    }
                                })
                                .subscribeOn(Schedulers.boundedElastic()),
                        24)
                .collectList()
                .block(Duration.ofSeconds(60));

        assertThat(copies).hasSize(24);
        assertThat(photos.download("copy23")).isEqualTo(content);
    }

    @Test
    void refusesToBlockAnEventLoop() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Mono.fromCallable(() -> photos.download("a"))
                        .subscribeOn(Schedulers.parallel())
                        .block())
                .withMessageContaining("reactive()");
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void worksOnVirtualThreads() throws Exception {
        CompletableFuture<byte[]> read = new CompletableFuture<>();
        Runnable work = () -> {
            try {
                photos.upload(new ByteArrayInputStream(bytes(100)), "a", with -> with.blockSize(30));
                photos.downloadTo("a", folder.resolve("a"));
                read.complete(Files.readAllBytes(folder.resolve("a")));
            } catch (IOException | RuntimeException e) {
                read.completeExceptionally(e);
            }
        };
        Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);

        assertThat(Arrays.equals(read.get(60, TimeUnit.SECONDS), bytes(100))).isTrue();
    }
}
