package io.stowline.blob.internal.gzip;

import static io.stowline.blob.internal.gzip.GzipCodecTest.content;
import static io.stowline.blob.internal.gzip.GzipCodecTest.zipped;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobDownload;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.BlobWriter;
import io.stowline.blob.CachedContainer;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.ReactiveBlobDownload;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.blob.internal.transfer.TransferMemory;
import io.stowline.caching.Freshness;
import io.stowline.error.BadRequestException;
import io.stowline.error.ProtocolException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;

/** Uploads that compress, and downloads that expand, by every way that a container has. */
@Timeout(120)
class GzipTransfersTest {

    private static final int RANGE = 64 << 10;

    private final KeptBlobs kept = new KeptBlobs();
    private final StubBlobs blobs = new StubBlobs(kept, settings -> settings.retries(0));
    private final BlobContainer photos = blobs.container();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        assertThat(blobs.memory().now()).isZero();
        blobs.close();
    }

    /** The ways of an upload. */
    private interface Way {
        BlobWriteResult upload(byte[] content, String name, UnaryOperator<UploadSettings.Builder> settings)
                throws IOException;
    }

    private List<Way> uploads() {
        return List.of(
                photos::upload,
                (content, name, settings) -> photos.upload(new ByteArrayInputStream(content), name, settings),
                (content, name, settings) -> photos.upload(Files.write(folder.resolve("in"), content), name, settings),
                (content, name, settings) -> {
                    try (BlobWriter writer = photos.write(name, settings)) {
                        writer.write(content, 0, content.length / 2);
                        for (int i = content.length / 2; i < content.length; i++) {
                            writer.write(content[i]);
                        }
                        return writer.commit();
                    }
                },
                (content, name, settings) -> photos.reactive()
                        .upload(new ByteArrayInputStream(content), name, settings)
                        .block(),
                (content, name, settings) -> photos.reactive()
                        .upload(
                                Flux.range(0, (content.length + 9_999) / 10_000)
                                        .map(i -> ByteBuffer.wrap(Arrays.copyOfRange(
                                                content, i * 10_000, Math.min(content.length, (i + 1) * 10_000)))),
                                name,
                                settings)
                        .block());
    }

    private static byte[] all(Flux<ByteBuffer> parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        parts.doOnNext(part -> {
                    byte[] some = new byte[part.remaining()];
                    part.get(some);
                    all.writeBytes(some);
                })
                .blockLast();
        return all.toByteArray();
    }

    private void isRead(byte[] content, String name, UnaryOperator<DownloadSettings.Builder> settings)
            throws IOException {
        UnaryOperator<DownloadSettings.Builder> small = o -> settings.apply(o.rangeSize(RANGE));
        assertThat(photos.download(name, small)).isEqualTo(content);
        try (InputStream stream = photos.open(name, small)) {
            assertThat(stream.read()).isEqualTo(content.length == 0 ? -1 : content[0] & 0xFF);
            assertThat(stream.readAllBytes())
                    .isEqualTo(Arrays.copyOfRange(content, Math.min(1, content.length), content.length));
        }
        ByteArrayOutputStream target = new ByteArrayOutputStream();
        photos.downloadTo(name, target, small);
        assertThat(target.toByteArray()).isEqualTo(content);
        target.reset();
        photos.reactive().downloadTo(name, target, small).block();
        assertThat(target.toByteArray()).isEqualTo(content);
        Path file = folder.resolve("out");
        photos.downloadTo(name, file, small);
        assertThat(file).hasBinaryContent(content);
        photos.reactive().downloadTo(name, file, settings).block();
        assertThat(file).hasBinaryContent(content);
        assertThat(folder.resolve("out").getParent().toFile().list())
                .allMatch(found -> found.equals("in") || found.equals("out"));
        assertThat(all(photos.reactive().open(name, small))).isEqualTo(content);
        try (ReactiveBlobDownload opened =
                photos.reactive().openDownload(name, small).block()) {
            assertThat(all(opened.stream())).isEqualTo(content);
        }
    }

    @Test
    @DisplayName("A1: what any upload compresses, any download expands")
    void everyWay() throws IOException {
        for (int size : new int[] {1_024, 65_535, 65_536, 65_537, 400_000}) {
            byte[] content = content(size, 1);
            for (Way way : uploads()) {
                BlobWriteResult made =
                        way.upload(content, "a", o -> o.gzip().overwrite().blockSize(30_000));
                KeptBlobs.KeptBlob blob = kept.blob("a");

                assertThat(blob.headers()).containsEntry("Content-Encoding", "gzip");
                assertThat(made.size()).isEqualTo(blob.content().length).isLessThan(size);
                assertThat(blob.headers()).containsEntry("x-ms-test-md5", StoredBlob.hashOf(blob.content()));
                assertThat(blob.headers())
                        .containsEntry(
                                "x-ms-meta-stowlinegzip", size + " " + made.size() + " " + StoredBlob.hashOf(content));
                assertThat(photos.info("a").metadata()).containsOnlyKeys("owner");
            }
            isRead(content, "a", o -> o);
            isRead(kept.blob("a").content(), "a", o -> o.asStored());
        }
    }

    @Test
    @DisplayName("A1: content that is short, random or encoded already is stored as it is")
    void asItIs() throws IOException {
        for (byte[] content : new byte[][] {{}, content(1_023, 1), content(5_000, 0), content(300_000, 0)}) {
            for (Way way : uploads()) {
                way.upload(content, "a", o -> o.gzip().overwrite().blockSize(100_000));
                assertThat(kept.blob("a").content()).isEqualTo(content);
                assertThat(kept.blob("a").headers()).doesNotContainKey("Content-Encoding");
            }
        }
        byte[] text = content(5_000, 1);
        for (Way way : uploads()) {
            way.upload(text, "a", o -> o.gzip().overwrite().headers(with -> with.contentEncoding("identity")));
            assertThat(kept.blob("a").content()).isEqualTo(text);
        }
        isRead(text, "a", o -> o);
    }

    @Test
    @DisplayName("A1: gzip of other programs is expanded, in any letters of the header")
    void ofOthers() throws IOException {
        byte[] content = content(200_000, 2);
        ByteArrayOutputStream members = new ByteArrayOutputStream();
        members.writeBytes(zipped(Arrays.copyOf(content, 190_000)));
        members.writeBytes(zipped(Arrays.copyOfRange(content, 190_000, content.length)));
        for (String encoding : new String[] {"gzip", "GZip", "x-gzip"}) {
            kept.put("a", members.toByteArray(), Map.of("Content-Encoding", encoding));
            isRead(content, "a", o -> o);
        }
        kept.put("a", new byte[0], Map.of("Content-Encoding", "gzip"));
        isRead(new byte[0], "a", o -> o);
        kept.put("a", zipped(content), Map.of("Content-Encoding", "br"));
        isRead(zipped(content), "a", o -> o);
    }

    @Test
    @DisplayName("A1: a stream that is opened has no length that is known, and its bytes are complete or an error")
    void opened() throws IOException {
        photos.upload(content(50_000, 1), "a", o -> o.gzip());
        try (BlobDownload opened = photos.openDownload("a")) {
            assertThat(opened.length()).isEqualTo(-1);
            assertThat(opened.info().size()).isEqualTo(kept.blob("a").content().length);
        }
        try (BlobDownload opened = photos.openDownload("a", o -> o.asStored().range(5, 7))) {
            assertThat(opened.length()).isEqualTo(7);
            assertThat(opened.stream().readAllBytes())
                    .isEqualTo(Arrays.copyOfRange(kept.blob("a").content(), 5, 12));
        }
        assertThat(photos.reactive().openDownload("a").block().length()).isEqualTo(-1);
    }

    @Test
    @DisplayName("A1: cached reads expand by each way, from the service and from the cache, and give stored bytes where"
            + " that is set")
    void cachedReads() throws IOException {
        byte[] content = content(400_000, 1);
        photos.upload(content, "a", o -> o.gzip());
        byte[] stored = kept.blob("a").content();
        CachedContainer cached = photos.cached(Freshness.fresh(Duration.ofMinutes(5)));
        for (int round = 0; round < 2; round++) {
            for (CachedContainer reads : List.of(cached, cached.asStored())) {
                byte[] expected = reads == cached ? content : stored;
                assertThat(reads.download("a").value()).contains(expected);
                assertThat(reads.reactive().download("a").block().value()).contains(expected);
                ByteArrayOutputStream target = new ByteArrayOutputStream();
                assertThat(reads.downloadTo("a", target).value().orElseThrow().size())
                        .isEqualTo(stored.length);
                assertThat(target.toByteArray()).isEqualTo(expected);
                Path file = folder.resolve("out");
                reads.reactive().downloadTo("a", file).block();
                assertThat(file).hasBinaryContent(expected);
                try (BlobDownload opened = reads.openDownload("a").value().orElseThrow()) {
                    assertThat(opened.length()).isEqualTo(reads == cached ? -1 : stored.length);
                    assertThat(opened.stream().readAllBytes()).isEqualTo(expected);
                }
                assertThat(all(reads.reactive().openDownload("a").block().value().orElseThrow().stream()))
                        .isEqualTo(expected);
            }
        }
        assertThat(cached.asStored().range("a", 5, 7).value()).contains(Arrays.copyOfRange(stored, 5, 12));
        assertThatIllegalStateException()
                .isThrownBy(() -> cached.range("a", 5, 7))
                .withMessageContaining("asStored()");
        assertThatIllegalStateException()
                .isThrownBy(() -> cached.openDownload("a", 5, 7))
                .withMessageContaining("photos/a is stored as gzip");
        assertThatIllegalStateException()
                .isThrownBy(() -> cached.download("a", 399_999))
                .withMessageContaining("limit of 399999");
        assertThat(cached).hasToString("CachedContainer[photos, " + Freshness.fresh(Duration.ofMinutes(5)) + "]");
        assertThat(cached.asStored().reactive().asStored().toString()).endsWith(", as stored]");
    }

    @Test
    @DisplayName("A1: a cached read of content that is no gzip is an error, and leaves the file")
    void brokenCachedReads() throws IOException {
        kept.put("a", content(3_000, 1), Map.of("Content-Encoding", "gzip"));
        CachedContainer cached = photos.cached(Freshness.fresh(Duration.ofMinutes(5)));
        Path file = Files.write(folder.resolve("out"), new byte[] {1});
        for (Runnable way : List.<Runnable>of(
                () -> cached.download("a"),
                () -> cached.downloadTo("a", file),
                () -> cached.downloadTo("a", new ByteArrayOutputStream()),
                () -> all(cached.reactive().openDownload("a").block().value().orElseThrow().stream()))) {
            assertThatExceptionOfType(ProtocolException.class)
                    .isThrownBy(way::run)
                    .withMessageContaining("its Content-Encoding is gzip, but its content is not");
        }
        assertThat(file).hasBinaryContent(new byte[] {1});
        assertThat(folder.toFile().list()).containsExactly("out");
        assertThat(cached.asStored().download("a").value()).isPresent();
    }

    @Test
    @DisplayName("TRANSFER-3: content of several members is expanded in memory that counts, and within the limit")
    void membersInMemory() {
        ByteArrayOutputStream members = new ByteArrayOutputStream();
        byte[] part = new byte[3 << 20];
        for (int i = 0; i < 4; i++) {
            members.writeBytes(zipped(part));
        }
        members.writeBytes(zipped(new byte[10]));
        kept.put("a", members.toByteArray(), Map.of("Content-Encoding", "gzip"));
        int length = 4 * part.length + 10;
        assertThat(photos.download("a")).isEqualTo(new byte[length]);
        assertThat(photos.download("a", o -> o.limit(length))).hasSize(length);
        assertThatIllegalStateException()
                .isThrownBy(() -> photos.download("a", o -> o.limit(length - 1)))
                .withMessageContaining("limit of " + (length - 1));
        try (TransferMemory.Share other = blobs.memory().share()) {
            assertThat(other.tryTake(blobs.memory().capacity() - (8 << 20))).isTrue();
            CompletableFuture<byte[]> waiting = photos.reactive().download("a").toFuture();
            assertThat(waiting).failsWithin(Duration.ofMillis(500));
            other.free(blobs.memory().capacity() - (8 << 20));
            assertThat(waiting.join()).hasSize(length);
        }
    }

    /** Each way of a download fails like this, and gives its memory back. */
    private void fails(
            Class<? extends RuntimeException> kind, String message, UnaryOperator<DownloadSettings.Builder> o) {
        List<Runnable> ways = List.of(
                () -> photos.download("a", o),
                () -> photos.downloadTo("a", new ByteArrayOutputStream(), o),
                () -> photos.downloadTo("a", folder.resolve("out"), o),
                () -> photos.reactive()
                        .downloadTo("a", new ByteArrayOutputStream(), o)
                        .block(),
                () -> photos.reactive().open("a", o).blockLast(),
                () -> {
                    try (InputStream stream = photos.open("a", o)) {
                        stream.readAllBytes();
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
        for (Runnable way : ways) {
            assertThatExceptionOfType(kind).isThrownBy(way::run).withMessageContaining(message);
        }
        assertThat(folder.resolve("out")).doesNotExist();
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName(
            "A1: content that is cut, has bytes behind its end or is no gzip is an error that names" + " asStored()")
    void broken() {
        byte[] stored = zipped(content(100_000, 1));
        for (byte[] broken : new byte[][] {
            Arrays.copyOf(stored, stored.length - 1),
            Arrays.copyOf(stored, stored.length / 2),
            Arrays.copyOf(stored, stored.length + 1),
            content(3_000, 1)
        }) {
            kept.put("a", broken, Map.of("Content-Encoding", "gzip"));
            fails(ProtocolException.class, "its Content-Encoding is gzip, but its content is not", o -> o);
            fails(ProtocolException.class, "asStored()", o -> o.rangeSize(RANGE));
            assertThat(photos.download("a", o -> o.asStored())).isEqualTo(broken);
        }
    }

    @Test
    @DisplayName("A1: a bomb ends at the limit, which the error names")
    void bomb() {
        kept.put("a", zipped(new byte[Expansion.ALWAYS + 1]), Map.of("Content-Encoding", "gzip"));
        fails(IllegalStateException.class, "limit of 67108864", o -> o.limit(80 << 20));
        fails(IllegalStateException.class, "limit of 100000", o -> o.maxExpansion(1_032, 100_000));
        assertThat(photos.download("a", o -> o.limit(80 << 20).maxExpansion(1_032, 1L << 40)))
                .hasSize(Expansion.ALWAYS + 1);
        assertThatIllegalStateException()
                .isThrownBy(() -> photos.download("a", o -> o.maxExpansion(1_032, 1L << 40)))
                .withMessageContaining("download into memory");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DownloadSettings.builder().maxExpansion(0, 1))
                .withMessageContaining("1 to 1032");
    }

    @Test
    @DisplayName("A1: a range is of stored bytes, and so needs asStored()")
    void ranges() throws IOException {
        byte[] content = content(100_000, 1);
        byte[] stored = zipped(content);
        kept.put("a", stored, Map.of("Content-Encoding", "gzip"));
        assertThatIllegalStateException()
                .isThrownBy(() -> photos.download("a", o -> o.range(10, 5)))
                .withMessageContaining("photos/a is stored as gzip")
                .withMessageContaining("asStored()");
        assertThatIllegalStateException().isThrownBy(() -> photos.open("a", o -> o.range(10, 5)));
        assertThatIllegalStateException()
                .isThrownBy(() -> photos.downloadTo("a", new ByteArrayOutputStream(), o -> o.range(0, 5)));
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> photos.reactive().open("a", o -> o.range(10, 5)).blockLast());
        assertThat(photos.download("a", o -> o.range(10, 5).asStored())).isEqualTo(Arrays.copyOfRange(stored, 10, 15));
        ByteBuffer some = ByteBuffer.allocate(4);
        assertThatIllegalStateException()
                .isThrownBy(() -> photos.channel("a"))
                .withMessageContaining("photos/a is stored as gzip")
                .withMessageContaining("asStored()");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> photos.channel("a", o -> o.asStored().range(1, 2)))
                .withMessageContaining("range");
        try (var channel = photos.channel("a", o -> o.asStored())) {
            assertThat(channel.size()).isEqualTo(stored.length);
            channel.read(some);
        }
        assertThat(some.array()).isEqualTo(Arrays.copyOf(stored, 4));
    }

    @Test
    @DisplayName("TRANSFER-1: compressed content has the same blocks in each run, so that a later one finds them")
    void resumes() throws IOException {
        byte[] content = content(2_000_000, 2);
        Path file = Files.write(folder.resolve("in"), content);
        photos.upload(file, "a", o -> o.gzip().blockSize(100_000));
        List<String> first = ids();
        photos.upload(new ByteArrayInputStream(content), "b", o -> o.gzip().blockSize(100_000));

        assertThat(first).hasSizeGreaterThan(2);
        assertThat(ids()).hasSize(2 * first.size()).hasSameElementsAs(first);
    }

    /** Uploads a file in some blocks that are compressed. */
    private static void inBlocks(StubBlobs service, Path file) {
        service.container().upload(file, "a", o -> o.gzip().blockSize(100_000).parallelism(1));
    }

    @Test
    @DisplayName("OUTCOME-0, OUTCOME-8: a compressed upload in blocks survives the loss of any response")
    void survivesEachLostResponse() throws IOException {
        byte[] content = content(2_000_000, 2);
        Path file = Files.write(folder.resolve("in"), content);
        try (StubBlobs service = new StubBlobs(new KeptBlobs())) {
            inBlocks(service, file);
            int requests = service.requested().size();
            assertThat(requests).isGreaterThan(5);
            for (int number = 0; number < requests; number++) {
                KeptBlobs fresh = new KeptBlobs();
                AtomicInteger count = new AtomicInteger();
                int lost = number;
                service.respond(request -> {
                    BlobStubResponse response = fresh.apply(request);
                    return count.getAndIncrement() == lost ? BlobStubResponse.refusal(500, "InternalError") : response;
                });
                inBlocks(service, file);

                assertThat(service.container().download("a"))
                        .as("request %d", number)
                        .isEqualTo(content);
                assertThat(fresh.blob("a").headers()).containsKeys("x-ms-meta-stowlinegzip", "Content-Encoding");
                assertThat(service.memory().now()).isZero();
            }
        }
    }

    @Test
    @DisplayName("TRANSFER-1: a compressed upload that failed at any request goes on, and sends no block again")
    void uploadGoesOn() throws IOException {
        byte[] content = content(2_000_000, 2);
        Path file = Files.write(folder.resolve("in"), content);
        inBlocks(blobs, file);
        int requests = blobs.requested().size();
        List<String> all = ids();
        for (int number = 0; number < requests; number++) {
            KeptBlobs fresh = new KeptBlobs();
            AtomicInteger count = new AtomicInteger();
            int failing = number;
            blobs.requested().clear();
            blobs.respond(request -> count.getAndIncrement() == failing
                    ? BlobStubResponse.refusal(400, "InvalidHeaderValue")
                    : fresh.apply(request));
            assertThatExceptionOfType(BadRequestException.class)
                    .as("request %d", number)
                    .isThrownBy(() -> inBlocks(blobs, file));
            assertThat(blobs.memory().now()).isZero();
            List<String> before = ids();
            blobs.requested().clear();
            blobs.respond(fresh);
            inBlocks(blobs, file);

            assertThat(photos.download("a")).as("request %d", number).isEqualTo(content);
            // The failed request may be the last block that was sent.
            assertThat(before).hasSizeLessThanOrEqualTo(number);
            assertThat(ids()).hasSizeBetween(all.size() - before.size(), all.size() - before.size() + 1);
            assertThat(all).containsAll(ids());
        }
    }

    private List<String> ids() {
        return blobs.requested("PUT", "block").stream()
                .filter(request -> request.is("PUT", "block") && !request.is("PUT", "blocklist"))
                .map(request -> request.query().replaceFirst(".*blockid=([^&]+).*", "$1"))
                .toList();
    }

    @Test
    @DisplayName("TRANSFER-2: a download of compressed content that failed goes on with the missing ranges, and then"
            + " expands")
    void goesOn() {
        byte[] content = content(1_000_000, 2);
        kept.put("a", zipped(content), Map.of("Content-Encoding", "gzip"));
        int length = kept.blob("a").content().length;
        blobs.respond(request ->
                from(request) == 2 * RANGE ? BlobStubResponse.refusal(400, "InvalidHeaderValue") : kept.apply(request));
        Path target = folder.resolve("out");
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() ->
                        photos.downloadTo("a", target, o -> o.rangeSize(RANGE).parallelism(1)));
        assertThat(target).doesNotExist();
        blobs.respond(kept);
        int before = blobs.requested().size();

        DownloadSettings.FileDownload done =
                photos.downloadTo("a", target, o -> o.rangeSize(RANGE).parallelism(1));
        assertThat(target).hasBinaryContent(content);
        assertThat(done.bytesResumed()).isEqualTo(2L * RANGE);
        assertThat(done.blob().size()).isEqualTo(length);
        assertThat(blobs.requested().subList(before, blobs.requested().size()).stream()
                        .filter(request -> request.method().equals("GET")))
                .hasSize((length - 1) / RANGE + 1 - 2);
        assertThat(folder.toFile().list()).containsExactly("out");
    }

    private static long from(StubRequest request) {
        String range = request.header("x-ms-range");
        return range == null ? -1 : Long.parseLong(range.substring("bytes=".length(), range.indexOf('-')));
    }

    @Test
    @DisplayName(
            "TRANSFER-2: content that expands too far leaves the target, and its stored bytes are not requested again")
    void bombInAFile() throws IOException {
        byte[] stored = zipped(content(1_000_000, 2));
        kept.put("a", stored, Map.of("Content-Encoding", "gzip"));
        Path target = Files.write(folder.resolve("out"), new byte[] {1});
        assertThatIllegalStateException()
                .isThrownBy(() ->
                        photos.downloadTo("a", target, o -> o.rangeSize(RANGE).maxExpansion(200, 900_000)));
        assertThat(target).hasBinaryContent(new byte[] {1});
        DownloadSettings.FileDownload done =
                photos.downloadTo("a", target, o -> o.rangeSize(RANGE).asStored());
        assertThat(target).hasBinaryContent(stored);
        assertThat(done.bytesResumed()).isEqualTo(stored.length);
    }

    @Test
    @DisplayName("TRANSFER-3: downloads that expand beside each other keep the memory, and none waits for another one")
    void atOnce() {
        byte[] content = new byte[8 << 20];
        new Random(1).nextBytes(content);
        Arrays.fill(content, 100_000, content.length, (byte) 'a');
        photos.upload(content, "a", o -> o.gzip());

        List<byte[]> read = Flux.range(0, 40)
                .flatMap(i -> photos.reactive().download("a"), 40)
                .doOnNext(found -> assertThat(blobs.memory().now())
                        .isLessThanOrEqualTo(blobs.memory().capacity() + (16 << 20)))
                .map(found -> Arrays.equals(found, content) ? found : new byte[0])
                .filter(found -> found.length == 0)
                .collectList()
                .block();
        assertThat(read).isEmpty();
    }

    @Test
    @DisplayName("A1: new metadata keep the facts of the content")
    void metadataStay() {
        photos.upload(content(50_000, 1), "a", o -> o.gzip());
        String facts = kept.blob("a").headers().get("x-ms-meta-stowlinegzip");
        photos.setMetadata("a", Map.of("x", "y"));

        assertThat(blobs.requested("PUT", "metadata").get(0).header("x-ms-meta-stowlinegzip"))
                .isEqualTo(facts);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> photos.setMetadata("a", Map.of("stowlineGzip", "1")))
                .withMessageContaining("reserved");
    }
}
