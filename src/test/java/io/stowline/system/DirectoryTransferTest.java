package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.DirectorySettings;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.Transfer;
import io.stowline.blob.TransferFailedException;
import io.stowline.blob.TransferProgress;
import io.stowline.blob.TransferReport;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.error.ClosedException;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Directories of blobs over an account in memory: the transferred ones, those left alone, and the requests to the
 * service.
 */
@Timeout(120)
class DirectoryTransferTest {

    private static final Instant OLD = Instant.parse("2024-02-29T12:00:00.123Z");

    private final MemoryStorage memory = MemoryStorage.create();
    private final List<HttpRequest> requests = new CopyOnWriteArrayList<>();
    private volatile Function<HttpRequest, Mono<HttpResponse>> wire =
            request -> memory.httpClient().send(request);
    private Stowline storage;
    private BlobContainer photos;

    @TempDir
    private Path folder;

    @TempDir
    private Path copy;

    @BeforeEach
    void connect() {
        HttpClient recorded = request -> {
            requests.add(request);
            return wire.apply(request);
        };
        storage = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(recorded)
                .build();
        photos = storage.container("photos");
        photos.create();
        requests.clear();
    }

    @AfterEach
    void close() {
        storage.close();
    }

    private void file(Path root, String name, String content) {
        try {
            Path path = root.resolve(name);
            Files.createDirectories(path.getParent());
            Files.writeString(path, content);
            Files.setLastModifiedTime(path, FileTime.from(OLD));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void filesOf(Path root, String content, String... names) {
        Stream.of(names).forEach(name -> file(root, name, content));
    }

    private static Map<String, String> files(Path root) throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> all = Files.walk(root, new FileVisitOption[0])) {
            for (Path path : all.filter(Files::isRegularFile).toList()) {
                found.put(root.relativize(path).toString(), Files.readString(path));
            }
        }
        return found;
    }

    private static void link(Path path, Path target) {
        try {
            if (!Files.isSymbolicLink(path)) {
                Files.move(path, path.resolveSibling("was " + path.getFileName()));
                Files.createSymbolicLink(path, target);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void blob(String name, String content) {
        photos.upload(content.getBytes(StandardCharsets.UTF_8), name);
    }

    private void blobs(String prefix, String... names) {
        Stream.of(names).forEach(name -> blob(prefix + name, "1"));
    }

    private List<String> blobs() {
        try (Stream<BlobInfo> all = photos.stream()) {
            return all.map(BlobInfo::name).toList();
        }
    }

    private TransferReport upload(UnaryOperator<DirectorySettings.Builder> settings) {
        return photos.uploadDirectory(folder, "2026/", settings).join();
    }

    private TransferReport download(String prefix, UnaryOperator<DirectorySettings.Builder> settings) {
        return photos.downloadDirectory(prefix, copy, settings).join();
    }

    private static DirectorySettings.Builder different(DirectorySettings.Builder settings) {
        return settings.overwrite(Overwrite.IF_DIFFERENT);
    }

    private long sent(HttpMethod method) {
        return requests.stream()
                .filter(request -> request.getHttpMethod() == method)
                .count();
    }

    /** Requests whose URL contains this get no response until the latch opens. */
    private CountDownLatch hang(Predicate<HttpRequest> which) {
        CountDownLatch reached = new CountDownLatch(1);
        wire = request -> {
            if (which.test(request)) {
                reached.countDown();
                return Mono.never();
            }
            return memory.httpClient().send(request);
        };
        return reached;
    }

    private static void await(CountDownLatch reached) throws InterruptedException {
        assertThat(reached.await(1, TimeUnit.MINUTES)).isTrue();
    }

    private static boolean puts(HttpRequest request, String name) {
        return request.getHttpMethod() == HttpMethod.PUT
                && request.getUrl().getPath().endsWith("%2F" + name);
    }

    /** A listing that a test has changed. */
    private static final class XmlResponse extends HttpResponse {

        private final HttpHeaders headers;
        private final String xml;

        XmlResponse(HttpRequest request, HttpHeaders headers, String xml) {
            super(request);
            this.headers = headers;
            this.xml = xml;
        }

        @Override
        public int getStatusCode() {
            return 200;
        }

        @Override
        @Deprecated
        public String getHeaderValue(String name) {
            return headers.getValue(HttpHeaderName.fromString(name));
        }

        @Override
        public HttpHeaders getHeaders() {
            return headers;
        }

        @Override
        public Flux<ByteBuffer> getBody() {
            return Flux.just(ByteBuffer.wrap(xml.getBytes(StandardCharsets.UTF_8)));
        }

        @Override
        public Mono<byte[]> getBodyAsByteArray() {
            return Mono.just(xml.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public Mono<String> getBodyAsString() {
            return Mono.just(xml);
        }

        @Override
        public Mono<String> getBodyAsString(Charset charset) {
            return Mono.just(xml);
        }
    }

    @Nested
    class Uploads {

        @Test
        @DisplayName("files of all folders become blobs, and come back with content and time")
        void roundTrip() throws IOException {
            file(folder, "a.txt", "one");
            file(folder, "a/b.txt", "two");
            file(folder, "a!b", "");
            file(folder, "ü ö/100%25#?&+.txt", "three");
            file(folder, "e\u0301/\uD83D\uDE00", "four");

            TransferReport up = upload(o -> o);
            TransferReport down = download("2026", o -> o);

            assertThat(up.transferred()).isEqualTo(5);
            assertThat(up.bytes()).isEqualTo(15);
            assertThat(up.failures()).isEmpty();
            assertThat(down.transferred()).isEqualTo(5);
            assertThat(files(copy)).isEqualTo(files(folder));
            assertThat(Files.getLastModifiedTime(copy.resolve("a/b.txt")).toInstant())
                    .isEqualTo(OLD);
            assertThat(photos.info("2026/a.txt").metadata()).isEmpty();
        }

        @Test
        @DisplayName("what is there already is skipped, whatever it is, unless the caller decides otherwise")
        void neverOverwrites() {
            file(folder, "a.txt", "new");
            blob("2026/a.txt", "old");

            assertThat(upload(o -> o).skipped()).isOne();
            assertThat(photos.download("2026/a.txt")).asString().isEqualTo("old");
            assertThat(upload(o -> o.overwrite(Overwrite.ALWAYS)).transferred()).isOne();
            assertThat(photos.download("2026/a.txt")).asString().isEqualTo("new");
        }

        @Test
        @DisplayName("a second run of 10,000 unchanged files takes at most 5 requests")
        void unchanged() {
            for (int i = 0; i < 10_000; i++) {
                file(folder, "f%03d/%d".formatted(i % 100, i), "x");
            }
            assertThat(upload(DirectoryTransferTest::different).transferred()).isEqualTo(10_000);
            requests.clear();

            TransferReport again = upload(DirectoryTransferTest::different);

            assertThat(again.unchanged()).isEqualTo(10_000);
            assertThat(requests).hasSizeLessThanOrEqualTo(5);
        }

        @Test
        @DisplayName("a changed time or size is a difference; so is a blob that another program wrote")
        void different() throws IOException {
            filesOf(folder, "1", "same", "touched", "longer", "foreign");
            blob("2026/foreign", "1");
            assertThat(upload(o -> o).transferred()).isEqualTo(3);
            Files.setLastModifiedTime(folder.resolve("touched"), FileTime.from(OLD.plusMillis(1)));
            Files.writeString(folder.resolve("longer"), "12");
            Files.setLastModifiedTime(folder.resolve("longer"), FileTime.from(OLD));

            List<Item> items = new CopyOnWriteArrayList<>();
            upload(o -> DirectoryTransferTest.different(o).eachItem(items::add));

            assertThat(items)
                    .filteredOn(item -> item.action() == Action.TRANSFERRED)
                    .extracting(Item::name)
                    .containsExactlyInAnyOrder("touched", "longer", "foreign");
            assertThat(items)
                    .filteredOn(item -> item.action() == Action.UNCHANGED)
                    .extracting(Item::name)
                    .containsExactly("same");
        }

        @Test
        @DisplayName("by MD5 a touched file is unchanged, and a changed one of the same size and time is not")
        void byContent() throws IOException {
            filesOf(folder, "1", "touched", "changed");
            upload(o -> o);
            Files.setLastModifiedTime(folder.resolve("touched"), FileTime.from(Instant.now()));
            file(folder, "changed", "2");

            TransferReport again =
                    upload(o -> DirectoryTransferTest.different(o).compareMd5());

            assertThat(again.unchanged()).isOne();
            assertThat(again.transferred()).isOne();
            assertThat(photos.download("2026/changed")).asString().isEqualTo("2");
        }

        @Test
        @DisplayName("mirror deletes what the folder does not have, of the names that take part, and nothing else")
        void mirror() {
            filesOf(folder, "1", "kept", "a");
            blobs("", "2026/kept", "2026/gone", "2026/a/b", "2026/tmp/x", "2025/gone", "2026");

            TransferReport dry =
                    upload(o -> o.mirror().dryRun().exclude("tmp/**").overwrite(Overwrite.ALWAYS));
            assertThat(dry.deleted()).isEqualTo(2);
            assertThat(blobs()).hasSize(6);
            TransferReport report = upload(o -> o.mirror().exclude("tmp/**"));

            assertThat(report.deleted()).isEqualTo(2);
            assertThat(blobs()).containsExactly("2025/gone", "2026", "2026/a", "2026/kept", "2026/tmp/x");
        }

        @Test
        @DisplayName(
                "a listing in another order deletes no blob whose file is there, and counts nothing as unchanged that"
                        + " is not")
        void listingInAnotherOrder() throws IOException {
            for (String name : List.of("a", "b", "c", "d")) {
                file(folder, name, name);
            }
            upload(o -> o);
            file(folder, "c", "C");
            Files.setLastModifiedTime(folder.resolve("c"), FileTime.from(OLD.plusSeconds(1)));
            photos.upload(new byte[1], "2026/gone");
            reverseListings();

            TransferReport report =
                    upload(o -> DirectoryTransferTest.different(o).mirror());

            assertThat(report.failures()).isEmpty();
            assertThat(report.deleted()).isOne();
            assertThat(report.transferred()).isOne();
            assertThat(report.unchanged()).isEqualTo(3);
            wire = request -> memory.httpClient().send(request);
            assertThat(blobs()).containsExactly("2026/a", "2026/b", "2026/c", "2026/d");
            assertThat(photos.download("2026/c")).asString().isEqualTo("C");
        }

        /** Dates the blobs long before the listing. */
        private void reverseListings() {
            wire = request -> memory.httpClient().send(request).flatMap(response -> {
                if (request.getHttpMethod() == HttpMethod.HEAD) {
                    response.getHeaders().set(HttpHeaderName.LAST_MODIFIED, "Thu, 29 Feb 2024 12:00:00 GMT");
                }
                if (!String.valueOf(request.getUrl().getQuery()).contains("comp=list")) {
                    return Mono.just(response);
                }
                return response.getBodyAsString().map(xml -> {
                    List<String> items = new ArrayList<>(Stream.of(xml.split("(?=<Blob>)|(?=</Blobs>)"))
                            .filter(part -> part.startsWith("<Blob>"))
                            .toList());
                    Collections.reverse(items);
                    String head = xml.substring(0, xml.indexOf("<Blob>"));
                    String tail = xml.substring(xml.indexOf("</Blobs>"));
                    return new XmlResponse(request, response.getHeaders(), head + String.join("", items) + tail);
                });
            });
        }

        @Test
        @DisplayName("links are skipped, and parts of other transfers are left out")
        void linksAndParts() throws IOException {
            file(folder, "a", "1");
            file(folder, ".stowline-1.part", "half");
            file(copy, "secret", "s");
            Files.createSymbolicLink(folder.resolve("link"), copy.resolve("secret"));
            Files.createSymbolicLink(folder.resolve("folder"), copy);

            TransferReport report = upload(o -> o);

            assertThat(report.transferred()).isOne();
            assertThat(report.skipped()).isEqualTo(2);
            assertThat(blobs()).containsExactly("2026/a");
        }

        @Test
        @DisplayName("names that the service does not keep are failures of their files")
        void refusedNames() {
            filesOf(folder, "1", "fine", "back\\slash", "dot./x", "dots...", "bell\u0007");

            TransferReport report = upload(o -> o.collectFailures());

            assertThat(report.transferred()).isOne();
            assertThat(report.failures())
                    .extracting(Item::name)
                    .containsExactlyInAnyOrder("back\\slash", "dot./x", "dots...", "bell\u0007");
            assertThat(report.failures())
                    .allSatisfy(item -> assertThat(item.error()).hasMessageContaining("does not keep"));
        }

        @Test
        @DisplayName("TRANSFER-4: the first failure ends the transfer and says what was done")
        void failFast() {
            filesOf(folder, "1", "a", "b");
            memory.refuseNext("PUT", "/2026/b", 403, "AuthorizationFailure");

            TransferFailedException failure =
                    catchThrowableOfType(TransferFailedException.class, () -> upload(o -> o.parallelism(1)));

            assertThat(failure).hasMessageContaining("at b, after 1 blobs");
            assertThat(failure.report().transferred()).isOne();
            assertThat(failure.report().failures()).extracting(Item::name).containsExactly("b");
            assertThat(failure.getCause())
                    .isSameAs(failure.report().failures().get(0).error());
        }

        @Test
        @DisplayName("TRANSFER-4: collectFailures goes on after failures and counts those beyond the list, too")
        void collect() {
            for (int i = 0; i < TransferReport.MAX_FAILURES + 5; i++) {
                file(folder, i + ".", "1");
            }
            file(folder, "z", "1");

            TransferReport report = upload(o -> o.collectFailures());

            assertThat(report.failed()).isEqualTo(TransferReport.MAX_FAILURES + 5);
            assertThat(report.failures()).hasSize(TransferReport.MAX_FAILURES);
            assertThat(report.transferred()).isOne();
        }

        @Test
        @DisplayName("a missing folder fails the transfer, whether it collects failures or not, and deletes nothing")
        void missingFolder() {
            photos.upload(new byte[1], "2026/a");

            assertThatExceptionOfType(TransferFailedException.class)
                    .isThrownBy(() -> photos.uploadDirectory(folder.resolve("none"), "2026", o -> o.mirror()
                                    .collectFailures())
                            .join())
                    .withCauseInstanceOf(UncheckedIOException.class);
            assertThat(blobs()).containsExactly("2026/a");
        }

        @Test
        @DisplayName("a file that vanishes or changes after it was read has a whole blob, and the next run sees what"
                + " changed")
        void changingFiles() {
            filesOf(folder, "1", "changes", "vanishes", "z");
            wire = request -> {
                if (puts(request, "changes")) {
                    file(folder, "changes", "12");
                }
                if (puts(request, "vanishes")) {
                    try {
                        Files.delete(folder.resolve("vanishes"));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
                return memory.httpClient().send(request);
            };

            TransferReport report = upload(o -> o.collectFailures());

            assertThat(report.transferred()).isEqualTo(3);
            assertThat(report.bytes()).isEqualTo(3);
            assertThat(photos.download("2026/changes")).asString().isEqualTo("1");
            assertThat(photos.download("2026/vanishes")).asString().isEqualTo("1");

            assertThat(upload(o -> o.overwrite(Overwrite.IF_DIFFERENT)).transferred())
                    .isOne();
            assertThat(photos.download("2026/changes")).asString().isEqualTo("12");
        }

        @Test
        @DisplayName("the settings of each blob are the caller's, but for its condition")
        void settingsOfEach() {
            filesOf(folder, "1", "a.html", "b");

            upload(o -> o.upload((name, with) ->
                    name.endsWith(".html") ? with.contentType("text/html").metadata(Map.of("k", "v")) : with));

            assertThat(photos.info("2026/a.html").headers().contentType()).isEqualTo("text/html");
            assertThat(photos.info("2026/a.html").metadata()).containsExactly(Map.entry("k", "v"));
            assertThat(photos.info("2026/b").headers().contentType()).isEqualTo("application/octet-stream");
            assertThat(upload(DirectoryTransferTest::different).unchanged()).isEqualTo(2);
        }

        @Test
        @DisplayName("the time of the file is not to be had as metadata")
        void reservedName() {
            assertThatThrownBy(() -> photos.setMetadata("a", Map.of("StowlineModified", "x")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("reserved");
        }

        @Test
        @DisplayName("progress ends with all bytes and blobs; unchanged ones carry no bytes")
        void progress() {
            file(folder, "a", "12345");
            file(folder, "b", "123");
            upload(o -> o.include("a"));
            List<TransferProgress> shown = new CopyOnWriteArrayList<>();

            Transfer transfer = photos.uploadDirectory(
                    folder, "2026/", o -> DirectoryTransferTest.different(o).progress(shown::add));
            transfer.join();

            TransferProgress last = shown.get(shown.size() - 1);
            assertThat(last.bytesDone()).isEqualTo(3);
            assertThat(last.bytesTotal()).hasValue(3);
            assertThat(last.blobsDone()).isEqualTo(2);
            assertThat(last.blobsTotal()).hasValue(2);
            assertThat(last.timeLeft()).contains(Duration.ZERO);
            assertThat(transfer.progress().blobsDone()).isEqualTo(2);
        }
    }

    @Nested
    class Downloads {

        @Test
        @DisplayName("a second run transfers nothing; a changed blob or file comes again")
        void unchanged() throws IOException {
            filesOf(folder, "1", "a", "b");
            upload(o -> o);
            blob("2026/foreign", "3");
            UnaryOperator<DirectorySettings.Builder> settings = DirectoryTransferTest::different;
            assertThat(download("2026/", settings).transferred()).isEqualTo(3);
            requests.clear();

            assertThat(download("2026/", settings).unchanged()).isEqualTo(3);
            assertThat(requests).hasSize(1);

            Files.writeString(copy.resolve("b"), "broken");
            assertThat(download("2026/", settings).transferred()).isOne();
            assertThat(files(copy)).isEqualTo(Map.of("a", "1", "b", "1", "foreign", "3"));
        }

        @Test
        @DisplayName("TRANSFER-4: names that lead out of the folder are failures, and nothing is written elsewhere")
        void escapes() throws IOException {
            blobs("d/", "x//b", "/etc", "a\\b", ".stowline-1", "ok");
            Path inner = copy.resolve("inner");

            TransferReport report = photos.downloadDirectory("d", inner, o -> o.collectFailures())
                    .join();

            assertThat(report.transferred()).isOne();
            assertThat(report.failed()).isEqualTo(4);
            assertThat(files(copy)).containsOnlyKeys("inner/ok");
        }

        @Test
        @DisplayName("a link or a file in the way is a failure, and what it leads to stays as it was")
        void linksInTheWay() throws IOException {
            blobs("d/", "dir/x", "file", "plain/x", "taken", "ok");
            file(folder, "x", "mine");
            Files.createSymbolicLink(copy.resolve("dir"), folder);
            Files.createSymbolicLink(copy.resolve("file"), folder.resolve("x"));
            file(copy, "plain", "a file");
            Files.createDirectory(copy.resolve("taken"));

            TransferReport report = download("d", o -> o.collectFailures().overwrite(Overwrite.ALWAYS));

            assertThat(report.transferred()).isOne();
            assertThat(report.failures())
                    .extracting(Item::name)
                    .containsExactlyInAnyOrder("dir/x", "file", "plain/x", "taken");
            assertThat(files(folder)).isEqualTo(Map.of("x", "mine"));
        }

        @ParameterizedTest(name = "{0} bytes")
        @ValueSource(ints = {1, 9 << 20})
        @DisplayName("TRANSFER-4: a folder that becomes a link while its blob travels is not written through")
        void targetBecomesLink(int size) throws IOException {
            photos.upload(new byte[size], "d/a/x");
            file(folder, "x", "outside");
            Files.createDirectory(copy.resolve("a"));
            wire = request -> memory.httpClient().send(request).doOnNext(response -> {
                if (request.getUrl().getPath().endsWith("x")) {
                    link(copy.resolve("a"), folder);
                }
            });

            TransferReport report = download("d", o -> o.collectFailures());

            assertThat(report.failures()).singleElement().satisfies(item -> assertThat(item.error())
                    .hasMessageContaining(copy.resolve("a") + " is a folder no longer"));
            assertThat(files(folder)).isEqualTo(Map.of("x", "outside"));
        }

        @Test
        @DisplayName(
                "TRANSFER-4: a mirror deletes a file before it makes the folder of its name, and a dry run says so")
        void fileBecomesFolder() throws IOException {
            blobs("d/", "x/a", "x/b/c", "x!", "zz");
            filesOf(copy, "old", "x", "x!");
            TransferReport dry = download("d", o -> o.mirror().dryRun().overwrite(Overwrite.ALWAYS));
            assertThat(files(copy)).containsOnlyKeys("x", "x!");
            CountDownLatch others = new CountDownLatch(1);
            wire = request -> {
                if (request.getUrl().getPath().endsWith("zz")) {
                    others.countDown();
                }
                Mono<HttpResponse> response = memory.httpClient().send(request);
                return request.getHttpMethod().equals(HttpMethod.HEAD)
                        ? Mono.fromCallable(() -> others.await(1, TimeUnit.MINUTES))
                                .subscribeOn(Schedulers.boundedElastic())
                                .then(response)
                        : response;
            };

            TransferReport report = download("d", o -> o.mirror().overwrite(Overwrite.ALWAYS));

            assertThat(files(copy)).isEqualTo(Map.of("x/a", "1", "x/b/c", "1", "x!", "1", "zz", "1"));
            assertThat(report.transferred()).isEqualTo(4).isEqualTo(dry.transferred());
            assertThat(report.deleted()).isOne().isEqualTo(dry.deleted());
        }

        @Test
        @DisplayName("mirror deletes files that have no blob, and neither links nor what is left out")
        void mirror() throws IOException {
            photos.upload(new byte[] {'1'}, "d/kept");
            for (String name : List.of("kept", "gone", "a/gone", "tmp/x")) {
                file(copy, name, "1");
            }
            Files.createSymbolicLink(copy.resolve("link"), folder);

            TransferReport dry = download("d", o -> o.mirror().exclude("tmp/**").dryRun());
            assertThat(dry.deleted()).isEqualTo(2);
            assertThat(files(copy)).hasSize(4);
            TransferReport report = download("d", o -> o.mirror().exclude("tmp/**"));

            assertThat(report.deleted()).isEqualTo(2);
            assertThat(files(copy)).containsOnlyKeys("kept", "tmp/x");
            assertThat(copy.resolve("link")).exists();
        }

        @Test
        @DisplayName("empty blobs that stand for folders are skipped")
        void folderMarkers() throws IOException {
            photos.upload(new byte[0], "d/a/");
            photos.upload(new byte[0], "d/b", o -> o.metadata(Map.of("hdi_isfolder", "true")));
            photos.upload(new byte[0], "d/b/c");

            TransferReport report = download("d", o -> o);

            assertThat(report.skipped()).isEqualTo(2);
            assertThat(files(copy)).containsOnlyKeys("b/c");
        }
    }

    @Nested
    class CopiesAndDeletions {

        @Test
        @DisplayName("a copy keeps content, headers and metadata, and a second run copies nothing")
        void copies() {
            BlobContainer archive = storage.container("archive");
            archive.create();
            photos.upload("one".getBytes(StandardCharsets.UTF_8), "2026/a", o -> o.contentType("text/plain")
                    .metadata(Map.of("k", "v")));
            blob("2026/b/c", "two");
            archive.upload(new byte[1], "old/gone");

            TransferReport first = photos.copyDirectory("2026/", archive, "old", o -> DirectoryTransferTest.different(o)
                            .mirror())
                    .join();
            TransferReport second = photos.copyDirectory(
                            "2026/", archive, "old", o -> DirectoryTransferTest.different(o)
                                    .mirror())
                    .join();

            assertThat(first.transferred()).isEqualTo(2);
            assertThat(first.deleted()).isOne();
            assertThat(second.unchanged()).isEqualTo(2);
            assertThat(second.deleted()).isZero();
            BlobInfo copied = archive.info("old/a");
            assertThat(copied.headers().contentType()).isEqualTo("text/plain");
            assertThat(copied.metadata()).containsExactly(Map.entry("k", "v"));
            assertThat(archive.download("old/b/c")).asString().isEqualTo("two");
        }

        @Test
        @DisplayName("a directory is not copied into itself")
        void overlap() {
            assertThatThrownBy(() -> photos.copyDirectory("a", photos, "a/b", o -> o))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(requests).isEmpty();
        }

        @Test
        @DisplayName("a deletion ends at the slash, and deletes only what takes part")
        void deletes() {
            blobs("", "tmp/a", "tmp/b.keep", "tmpfile", "tmp");

            assertThat(photos.deleteDirectory("tmp", o -> o.dryRun()).join().deleted())
                    .isEqualTo(2);
            TransferReport report =
                    photos.deleteDirectory("tmp", o -> o.exclude("*.keep")).join();

            assertThat(report.deleted()).isOne();
            assertThat(blobs()).containsExactly("tmp", "tmp/b.keep", "tmpfile");
        }

        @Test
        @DisplayName("a whole container is emptied only if a pattern says so")
        void wholeContainer() {
            photos.upload(new byte[1], "a");
            assertThatThrownBy(() -> photos.deleteDirectory("", o -> o)).hasMessageContaining("include");

            assertThat(photos.deleteDirectory("", o -> o.include("**")).join().deleted())
                    .isOne();
        }
    }

    @Nested
    class Ends {

        @Test
        @DisplayName("cancelling a transfer ends what is in flight, and sends nothing more")
        void cancel() throws InterruptedException {
            filesOf(folder, "1", "a", "b");
            CountDownLatch reached = hang(request -> puts(request, "a"));
            Transfer transfer = photos.uploadDirectory(folder, "2026/", o -> o.parallelism(1));
            await(reached);
            assertThat(transfer.join(Duration.ofMillis(1))).isEmpty();

            transfer.cancel();

            assertThatExceptionOfType(TransferFailedException.class)
                    .isThrownBy(transfer::join)
                    .withMessageContaining("uploadDirectory " + folder)
                    .withMessageContaining("was cancelled")
                    .withCauseInstanceOf(CancellationException.class)
                    .satisfies(end -> assertThat(end.report().cancelled()).isOne());
            assertThatExceptionOfType(TransferFailedException.class)
                    .isThrownBy(() -> transfer.whenComplete().block());
            storage.close();
            assertThat(sent(HttpMethod.PUT)).isOne();
        }

        @Test
        @DisplayName("a subscription starts a transfer, and a cancelled wait can cancel it")
        void reactive() throws InterruptedException {
            file(folder, "a", "1");
            CountDownLatch reached = hang(request -> puts(request, "a"));
            Mono<TransferReport> lazy = photos.reactive()
                    .uploadDirectory(folder, "2026/", o -> o)
                    .flatMap(transfer -> transfer.whenComplete().doOnCancel(transfer::cancel));
            assertThat(requests).isEmpty();

            Disposable running = lazy.subscribe();
            await(reached);
            running.dispose();
            wire = request -> memory.httpClient().send(request);

            assertThat(lazy.block().transferred()).isOne();
        }

        private boolean takesCalls() {
            try {
                photos.exists("none");
                return true;
            } catch (ClosedException closed) {
                return false;
            }
        }

        @Test
        @DisplayName("closing the client ends a transfer after the blobs in flight")
        void closing() throws InterruptedException {
            filesOf(folder, "1", "a", "b");
            CountDownLatch reached = new CountDownLatch(1);
            CountDownLatch responded = new CountDownLatch(1);
            wire = request -> {
                Mono<HttpResponse> response = memory.httpClient().send(request);
                if (!puts(request, "a")) {
                    return response;
                }
                reached.countDown();
                return Mono.fromCallable(() -> responded.await(1, TimeUnit.MINUTES))
                        .subscribeOn(Schedulers.boundedElastic())
                        .then(response);
            };
            Transfer transfer = photos.uploadDirectory(
                    folder, "2026/", o -> o.parallelism(1).collectFailures());
            await(reached);

            Thread closing = new Thread(storage::close);
            closing.start();
            while (takesCalls()) {
                ShortPause.park();
            }
            responded.countDown();

            assertThatThrownBy(transfer::join)
                    .isInstanceOf(TransferFailedException.class)
                    .hasCauseInstanceOf(ClosedException.class);
            closing.join();
        }

        @Test
        @DisplayName("throttled requests are sent again, and the transfer succeeds")
        void throttled() {
            file(folder, "a", "1");
            memory.refuseNext("PUT", "/2026/a", 503, "ServerBusy");

            assertThat(upload(o -> o).transferred()).isOne();
        }

        @Test
        @DisplayName("a mirror says of each blob that no file can have become why it stays")
        void oddNamesInAMirror() {
            file(folder, "keep", "1");
            List<String> odd = List.of("", "/odd", "a/", "a//b", ".stowline-x", "b/.stowline-y/z");
            odd.forEach(name -> blob("2026/" + name, "1"));
            blob("2026/gone", "1");
            List<Item> skipped = new CopyOnWriteArrayList<>();

            TransferReport report = upload(o -> o.mirror().eachItem(item -> {
                if (item.action() == Action.SKIPPED) {
                    skipped.add(item);
                }
            }));

            assertThat(report.skipped()).isEqualTo(odd.size());
            assertThat(report.deleted()).isOne();
            assertThat(skipped).extracting(Item::name).containsExactlyInAnyOrderElementsOf(odd);
            assertThat(skipped)
                    .allSatisfy(item -> assertThat(item.error()).hasMessageContaining("has no file below the folder"));
            assertThat(blobs()).hasSize(1 + odd.size());
        }

        @Test
        @DisplayName(
                "TRANSFER-4: a mirror deletes the blob whose name is a folder now, and says why one at a link stays")
        void otherKindsInAMirror() throws IOException {
            filesOf(folder, "1", "kept", "folder/inner");
            Files.createDirectories(folder.resolve("empty"));
            Files.createSymbolicLink(folder.resolve("link"), folder.resolve("kept"));
            Files.createSymbolicLink(folder.resolve("linked"), folder.resolve("folder"));
            blobs("2026/", "folder", "empty", "link", "linked", "linked/inner", "kept/inner");
            photos.upload(new byte[0], "2026/marker", o -> o.metadata(Map.of("hdi_isfolder", "true")));
            List<Item> items = new CopyOnWriteArrayList<>();

            TransferReport report = upload(o -> o.mirror().eachItem(items::add));

            assertThat(blobs())
                    .containsExactly(
                            "2026/folder/inner",
                            "2026/kept",
                            "2026/link",
                            "2026/linked",
                            "2026/linked/inner",
                            "2026/marker");
            assertThat(report.deleted()).isEqualTo(3);
            assertThat(report.skipped()).isEqualTo(4);
            assertThat(items)
                    .filteredOn(item -> item.action() == Action.SKIPPED)
                    .allSatisfy(item -> assertThat(item.error())
                            .hasMessageContaining(item.name().equals("marker") ? "marks a folder" : "is a link"));
        }

        @Test
        @DisplayName("TRANSFER-4: a folder that becomes a link after it was listed fails its files, and none comes from"
                + " outside")
        void folderBecomesLink() throws IOException {
            filesOf(folder, "1", "a/x", "b/y");
            filesOf(copy, "outside", "x", "y");
            wire = request -> {
                if (request.getHttpMethod().equals(HttpMethod.PUT)) {
                    link(folder.resolve("b"), copy);
                }
                return memory.httpClient().send(request);
            };

            TransferReport report = upload(o -> o.parallelism(1).collectFailures());

            assertThat(report.transferred()).isOne();
            assertThat(report.failures()).singleElement().satisfies(item -> assertThat(item.error())
                    .hasMessageContaining(folder.resolve("b") + " is a folder no longer"));
            assertThat(blobs()).containsExactly("2026/a/x");
        }

        @Test
        void settingsThatGiveNothingAreNamed() {
            assertThatNullPointerException()
                    .isThrownBy(() -> photos.uploadDirectory(folder, "2026", o -> null))
                    .withMessage("settings gave no builder");
            assertThatNullPointerException()
                    .isThrownBy(() -> photos.upload(new byte[1], "a", o -> null))
                    .withMessage("settings gave no builder");
            assertThatNullPointerException()
                    .isThrownBy(() -> photos.download("a", o -> null))
                    .withMessage("settings gave no builder");
            assertThatNullPointerException()
                    .isThrownBy(() -> photos.tree("").folder(null))
                    .withMessage("segment");
        }

        @Test
        @DisplayName("a listener of items that throws is contained, and the report counts what was done")
        void throwingListener() {
            filesOf(folder, "1", "a", "b", "c");

            TransferReport report = upload(o -> o.eachItem(item -> {
                if (item.name().equals("b")) {
                    throw new StackOverflowError();
                }
                if (item.name().equals("c")) {
                    throw Ends.<RuntimeException>unchecked(new InterruptedException("mine"));
                }
                throw new IllegalStateException("mine");
            }));

            assertThat(report.transferred()).isEqualTo(3);
            assertThat(blobs()).containsExactly("2026/a", "2026/b", "2026/c");
        }

        /** Other languages than Java throw checked exceptions anywhere. */
        @SuppressWarnings("unchecked")
        private static <E extends Throwable> RuntimeException unchecked(Throwable checked) throws E {
            throw (E) checked;
        }

        @Test
        @DisplayName("join() in a listener of its own transfer is refused, since each would wait for the other")
        void joinInAListener() {
            filesOf(folder, "1", "a", "b");
            CompletableFuture<Transfer> running = new CompletableFuture<>();
            List<Throwable> refused = new CopyOnWriteArrayList<>();

            running.complete(photos.uploadDirectory(folder, "2026", o -> o.eachItem(item ->
                            refused.add(catchThrowable(() -> running.join().join())))
                    .progress(now ->
                            refused.add(catchThrowable(() -> running.join().join())))));

            assertThat(running.join().join().transferred()).isEqualTo(2);
            assertThat(refused).hasSizeGreaterThanOrEqualTo(3).allSatisfy(error -> assertThat(error)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("would wait for itself"));
        }

        @Test
        @DisplayName("an ended transfer gives its report to an interrupted thread, too, and takes any time to wait")
        void joinAfterTheEnd() {
            filesOf(folder, "1", "a");
            Transfer transfer = photos.uploadDirectory(folder, "2026", o -> o);
            assertThat(transfer.join(Duration.ofSeconds(Long.MAX_VALUE))).isPresent();

            Thread.currentThread().interrupt();
            try {
                assertThat(transfer.join().transferred()).isOne();
                assertThat(transfer.join(Duration.ZERO)).isPresent();
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }
        }

        @Test
        @DisplayName("TRANSFER-4: the report of a failure counts the blobs in flight that the service may have stored")
        void cancelledInFlight() {
            filesOf(folder, "1", "a", "b", "c", "d");
            CountDownLatch stored = new CountDownLatch(3);
            wire = request -> {
                String path = request.getUrl().getPath();
                if (!request.getHttpMethod().equals(HttpMethod.PUT) || path.endsWith("a")) {
                    return memory.httpClient().send(request);
                }
                if (path.endsWith("d")) {
                    return Mono.fromCallable(() -> stored.await(1, TimeUnit.MINUTES))
                            .subscribeOn(Schedulers.boundedElastic())
                            .then(memory.httpClient().send(request));
                }
                return memory.httpClient().send(request).flatMap(response -> {
                    stored.countDown();
                    return Mono.never();
                });
            };
            memory.refuseNext("PUT", "/2026/d", 403, "AuthorizationFailure");

            TransferFailedException failure = catchThrowableOfType(
                    TransferFailedException.class,
                    () -> upload(o -> o.parallelism(4).eachItem(item -> stored.countDown())));

            assertThat(failure.report().transferred()).isOne();
            assertThat(failure.report().failed()).isOne();
            assertThat(failure.report().cancelled()).isEqualTo(2);
            assertThat(failure).hasMessageContaining("with 2 in flight");
            assertThat(blobs()).containsExactly("2026/a", "2026/b", "2026/c");
        }
    }
}
