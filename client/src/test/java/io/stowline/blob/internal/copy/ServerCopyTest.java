package io.stowline.blob.internal.copy;

import static io.stowline.blob.BlobTagFilter.tag;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.storage.blob.models.AccessTier;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.CopySettings;
import io.stowline.blob.TransferProgress;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.error.AuthenticationException;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ProtocolException;
import io.stowline.error.StorageException;
import io.stowline.outcome.WriteOutcome;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Copies by the service, on the wire: the source lies in one account, the target in another one. */
@Timeout(60)
class ServerCopyTest {

    private static final Pattern SIGNATURE = Pattern.compile("sig=([^&]+)");
    private static final int SIZE = 1_000;

    private final StoredBlob stored = new StoredBlob(new byte[SIZE]);
    private final StubBlobs sources = new StubBlobs(stored);
    private final StubBlobs targets = new StubBlobs(ServerCopyTest::takes);
    private final BlobContainer photos = sources.container();
    private final BlobContainer archive = targets.container();

    @AfterEach
    void close() {
        sources.close();
        targets.close();
    }

    private static BlobStubResponse takes(StubRequest requested) {
        return requested.method().equals("PUT")
                ? BlobStubResponse.of(201)
                : BlobStubResponse.refusal(404, "BlobNotFound");
    }

    private BlobWriteResult copied(UnaryOperator<CopySettings.Builder> settings) {
        return archive.copyFrom(photos, "a b", "t/a b", settings);
    }

    private List<StubRequest> blocks() {
        return targets.requested("PUT", "block&");
    }

    private static UnaryOperator<CopySettings.Builder> inBlocks() {
        return with -> with.blockSize(300);
    }

    /** Refuses a request whose condition on the source is not met, as the service does. */
    private Function<StubRequest, BlobStubResponse> only(String etag) {
        return requested ->
                etag.equals(requested.header("x-ms-source-if-match")) || requested.header("x-ms-copy-source") == null
                        ? takes(requested)
                        : BlobStubResponse.refusal(412, "SourceConditionNotMet");
    }

    @Test
    @DisplayName(
            "B3: a copy is one request, no content travels through the client, and headers and metadata are those of"
                    + " the source")
    void inOneRequest() {
        sources.respond(requested -> stored.apply(requested)
                .with("Content-MD5", StoredBlob.hashOf(new byte[SIZE]))
                .with("Content-Type", "image/jpeg")
                .with("Cache-Control", "max-age=60")
                .with("x-ms-meta-camera", "x100")
                .with("x-ms-meta-stowlinemodified", "2020-01-01T00:00:00Z")
                .with("x-ms-meta-stowlinewrite", "other"));
        BlobWriteResult copied = copied(with -> with);

        assertThat(copied.size()).isEqualTo(SIZE);
        assertThat(copied.outcome()).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(sources.requested()).singleElement().satisfies(head -> assertThat(head.method())
                .isEqualTo("HEAD"));
        StubRequest put = targets.requested().get(0);
        assertThat(targets.requested()).hasSize(1);
        assertThat(put.body()).isEmpty();
        assertThat(put.path()).endsWith("/photos/t%2Fa%20b");
        assertThat(put.header("x-ms-blob-type")).isEqualTo("BlockBlob");
        assertThat(put.header("x-ms-copy-source")).contains("/acct/photos/a%20b?");
        assertThat(put.header("x-ms-source-if-match")).isEqualTo("\"v1\"");
        assertThat(put.header("x-ms-blob-content-type")).isEqualTo("image/jpeg");
        assertThat(put.header("x-ms-blob-cache-control")).isEqualTo("max-age=60");
        assertThat(put.header("x-ms-blob-content-md5")).isEqualTo(StoredBlob.hashOf(new byte[SIZE]));
        assertThat(put.header("x-ms-meta-camera")).isEqualTo("x100");
        assertThat(put.header("x-ms-meta-stowlinewrite")).isNotEqualTo("other").hasSize(36);
        assertThat(put.header("x-ms-meta-stowlinemodified")).isEqualTo("2020-01-01T00:00:00Z");
        assertThat(put.header("If-None-Match")).isEqualTo("*");
        assertThat(archive.reactive()
                        .copyFrom(photos.reactive(), "a b", "t/a b")
                        .block()
                        .size())
                .isEqualTo(SIZE);
    }

    @Test
    @DisplayName("B3: conditions on both sides, metadata, headers, tags and tier go with the request")
    void settings() {
        copied(with -> with.ifMatch("\"t1\"")
                .ifTags(tag("a").equalTo("b"))
                .sourceIfMatch("\"v1\"")
                .headers(headers -> headers.contentType("image/png"))
                .metadata(Map.of("place", "here"))
                .tags(Map.of("year", "2026"))
                .tier(AccessTier.COOL));

        assertThat(sources.requested().get(0).header("If-Match")).isEqualTo("\"v1\"");
        StubRequest put = targets.requested().get(0);
        assertThat(put.header("If-Match")).isEqualTo("\"t1\"");
        assertThat(put.header("x-ms-if-tags")).contains("a");
        assertThat(put.header("x-ms-blob-content-type")).isEqualTo("image/png");
        assertThat(put.header("x-ms-meta-place")).isEqualTo("here");
        assertThat(put.header("x-ms-tags")).isEqualTo("year=2026");
        assertThat(put.header("x-ms-access-tier")).isEqualTo("Cool");
        copied(CopySettings.Builder::overwrite);
        assertThat(targets.requested().get(1).header("If-None-Match")).isNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> copied(with -> with.ifTags(tag("a").equalTo("b"))))
                .withMessageContaining("ifTags");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> copied(with -> with.blockSize(0)))
                .withMessageContaining("blockSize is 1 to");
    }

    private BlobStubResponse tagged(StubRequest requested) {
        return requested.is("GET", "tags")
                ? BlobStubResponse.of(200)
                        .with("Content-Type", "application/xml")
                        .body(("<?xml version=\"1.0\" encoding=\"utf-8\"?><Tags><TagSet><Tag><Key>year</Key>"
                                        + "<Value>2026</Value></Tag></TagSet></Tags>")
                                .getBytes(StandardCharsets.UTF_8))
                : stored.apply(requested);
    }

    @Test
    @DisplayName("B3: tags of the source are copied where they are asked for, in one request, in blocks and at a start")
    void tagsOfTheSource() {
        sources.respond(this::tagged);
        copied(with -> with.sourceTags());
        assertThat(targets.requested().get(0).header("x-ms-tags")).isEqualTo("year=2026");
        copied(with -> with.sourceTags().blockSize(300));
        assertThat(targets.requested("PUT", "blocklist").get(0).header("x-ms-tags"))
                .isEqualTo("year=2026");
        targets.respond(requested -> BlobStubResponse.of(202).with("x-ms-copy-id", "c-1"));
        archive.startCopy(photos, "a b", "t", with -> with.sourceTags());
        assertThat(targets.requested("PUT", "").get(1).header("x-ms-tags")).isEqualTo("year=2026");
        assertThat(sources.requested("GET", "tags")).hasSize(3);

        targets.requested().clear();
        sources.respond(requested -> requested.is("GET", "tags")
                ? BlobStubResponse.refusal(403, "AuthorizationPermissionMismatch")
                : stored.apply(requested));
        assertThatExceptionOfType(AuthenticationException.class)
                .isThrownBy(() -> copied(with -> with.sourceTags()))
                .withMessageContaining("photos/a b");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> copied(with -> with.sourceTags().tags(Map.of("a", "b"))))
                .withMessageContaining("set one of both");
        URI address = URI.create(
                "http://127.0.0.1:" + URI.create(sources.scope().url()).getPort() + "/acct/photos/a");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> archive.copyFrom(address, "t", with -> with.sourceTags()))
                .withMessageContaining("tags(..)");
        assertThat(targets.requested()).isEmpty();
    }

    @Test
    @DisplayName("B3: a longer source is copied in blocks, in parallel, and appears by the commit alone")
    void inBlocks4() {
        List<TransferProgress> seen = new CopyOnWriteArrayList<>();
        BlobWriteResult copied =
                copied(with -> with.blockSize(300).tags(Map.of("year", "2026")).progress(seen::add));

        assertThat(copied.size()).isEqualTo(SIZE);
        assertThat(blocks().stream().map(block -> block.header("x-ms-source-range")))
                .containsExactlyInAnyOrder("bytes=0-299", "bytes=300-599", "bytes=600-899", "bytes=900-999");
        assertThat(blocks()).allSatisfy(block -> {
            assertThat(block.header("x-ms-source-if-match")).isEqualTo("\"v1\"");
            assertThat(block.header("x-ms-copy-source")).contains("sp=r");
            assertThat(block.body()).isEmpty();
        });
        StubRequest commit = targets.requested("PUT", "blocklist").get(0);
        assertThat(commit.header("x-ms-copy-source")).isNull();
        assertThat(commit.header("x-ms-tags")).isEqualTo("year=2026");
        assertThat(commit.header("If-None-Match")).isEqualTo("*");
        assertThat(ids(commit)).containsExactlyElementsOf(idsInOrder(blocks()));
        assertThat(seen.get(seen.size() - 1).bytesDone()).isEqualTo(SIZE);
        assertThat(sources.requested()).hasSize(1);
        assertThat(targets.memory().now()).isZero();
    }

    private static List<String> ids(StubRequest commit) {
        Matcher id =
                Pattern.compile("<Latest>([^<]+)</Latest>").matcher(new String(commit.body(), StandardCharsets.UTF_8));
        return id.results().map(found -> found.group(1)).toList();
    }

    private static List<String> idsInOrder(List<StubRequest> blocks) {
        return blocks.stream()
                .sorted((one, other) -> Integer.compare(first(one), first(other)))
                .map(ServerCopyTest::id)
                .toList();
    }

    private static int first(StubRequest block) {
        return Integer.parseInt(block.header("x-ms-source-range").replaceAll("bytes=(\\d+)-.*", "$1"));
    }

    private static String id(StubRequest block) {
        return URLDecoder.decode(block.query().replaceAll(".*blockid=([^&]*).*", "$1"), StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("TRANSFER-1: a copy goes on with the blocks that an earlier one has left, without a state file")
    void resumes() {
        AtomicInteger taken = new AtomicInteger();
        targets.respond(requested -> requested.is("PUT", "block&") && taken.incrementAndGet() > 2
                ? BlobStubResponse.refusal(400, "InvalidInput")
                : takes(requested));
        assertThat(catchThrowable(() -> copied(with -> with.blockSize(300).parallelism(1))))
                .isInstanceOf(StorageException.class);
        assertThat(targets.requested("PUT", "blocklist")).isEmpty();
        List<StubRequest> left = blocks().subList(0, 2);
        String list = left.stream()
                .map(block -> "<Block><Name>" + id(block) + "</Name><Size>300</Size></Block>")
                .collect(Collectors.joining());
        targets.requested().clear();
        targets.respond(requested -> requested.is("GET", "blocklist")
                ? BlobStubResponse.of(200)
                        .with("Content-Type", "application/xml")
                        .body(("<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList><UncommittedBlocks>" + list
                                        + "</UncommittedBlocks></BlockList>")
                                .getBytes(StandardCharsets.UTF_8))
                : takes(requested));

        assertThat(copied(with -> with.blockSize(300)).size()).isEqualTo(SIZE);
        assertThat(blocks()).hasSize(2).extracting(ServerCopyTest::first).containsExactlyInAnyOrder(600, 900);
        assertThat(ids(targets.requested("PUT", "blocklist").get(0))).hasSize(4);
    }

    @Test
    @DisplayName(
            "COPY-1: a source that changes after its version was read is not copied, and the target stays as it was")
    void changedSource() {
        targets.respond(only("\"v2\""));
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> copied(with -> with))
                .satisfies(e -> assertThat(e.failure().errorCode()).isEqualTo("SourceConditionNotMet"));

        targets.requested().clear();
        AtomicInteger blocks = new AtomicInteger();
        targets.respond(requested -> requested.is("PUT", "block&") && blocks.incrementAndGet() > 2
                ? only("\"v2\"").apply(requested)
                : takes(requested));
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> copied(with -> with.blockSize(300).parallelism(1)));
        assertThat(blocks()).hasSize(3);
        assertThat(targets.requested("PUT", "blocklist")).isEmpty();

        targets.respond(ServerCopyTest::takes);
        assertThat(copied(inBlocks()).size()).isEqualTo(SIZE);
    }

    @Test
    @DisplayName("COPY-1: a source that has another version than the settings name is not copied")
    void otherSource() {
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> copied(with -> with.sourceIfMatch("\"v0\"")));
        sources.respond(requested -> BlobStubResponse.refusal(404, "BlobNotFound"));
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> copied(with -> with))
                .withMessageContaining("photos/a b");
        sources.respond(requested -> stored.apply(requested).without("ETag"));
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> copied(with -> with))
                .withMessageContaining("it has no ETag");
        assertThat(targets.requested()).isEmpty();
    }

    @Test
    @DisplayName("COPY-1: a blob that may not be replaced is found before blocks are copied, and by the one request")
    void takenTarget() {
        targets.respond(requested -> requested.method().equals("HEAD")
                ? BlobStubResponse.of(200).with("x-ms-blob-type", "BlockBlob")
                : takes(requested));
        assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> copied(inBlocks()));
        assertThat(targets.requested("PUT", "blocklist")).isEmpty();
        targets.respond(requested -> BlobStubResponse.refusal(409, "BlobAlreadyExists"));
        assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> copied(with -> with));
    }

    @Test
    @DisplayName("COPY-3: the access to the source is a signature for this blob, to read it, for a short time")
    void shortAccess() {
        copied(with -> with);
        String source = targets.requested().get(0).header("x-ms-copy-source");
        Map<String, String> signed = Stream.of(URI.create(source).getQuery().split("&"))
                .map(parameter -> parameter.split("=", 2))
                .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
        assertThat(signed)
                .containsEntry("sp", "r")
                .containsEntry("sr", "b")
                .containsKey("sig")
                .doesNotContainKey("st");
        assertThat(Instant.parse(signed.get("se"))).isBefore(Instant.now().plus(Duration.ofMinutes(30)));
    }

    @Test
    @DisplayName("COPY-3: no error shows the signature, although the service repeats it")
    void secretStays() {
        List<String> signatures = new CopyOnWriteArrayList<>();
        for (int status : List.of(400, 403, 404, 409, 500)) {
            targets.respond(requested -> {
                String source = requested.header("x-ms-copy-source");
                Matcher found = SIGNATURE.matcher(source);
                assertThat(found.find()).isTrue();
                signatures.add(found.group(1));
                return BlobStubResponse.refusal(status, "CannotVerifyCopySource")
                        .with("Content-Type", "application/xml")
                        .body(("<?xml version=\"1.0\"?><Error><Code>CannotVerifyCopySource</Code><Message>no: "
                                        + URLDecoder.decode(found.group(1), StandardCharsets.UTF_8) + " of "
                                        + source.replace("&", "&amp;") + "</Message></Error>")
                                .getBytes(StandardCharsets.UTF_8));
            });
            Throwable error = catchThrowable(() -> copied(with -> with));
            assertThat(error)
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("the service of the target could not read the source");
            StringBuilder shown = new StringBuilder();
            for (Throwable each = error; each != null; each = each.getCause()) {
                shown.append(each).append('\n');
            }
            signatures.forEach(signature -> assertThat(shown.toString())
                    .doesNotContain(signature)
                    .doesNotContain(
                            URLDecoder.decode(signature, StandardCharsets.UTF_8).replace("=", "")));
        }
        assertThat(signatures).hasSizeGreaterThanOrEqualTo(5);
        targets.respond(ServerCopyTest::takes);
        assertThat(copied(with -> with).size()).isEqualTo(SIZE);
    }

    @Test
    @DisplayName("B3: an address is copied by its version, and gets neither the client's proof nor its headers")
    void address() {
        sources.respond(requested -> stored.apply(requested).with("x-ms-meta-camera", "x100"));
        String root = photos.sas("a b").canRead().sign().resource().toString();
        URI source = URI.create(root + "?sp=r&sig=abcdefghijklmnopqrstuvwxyz");
        BlobContainer marked = archive.withHeader("x-ms-client-marker", "mine");

        assertThat(marked.copyFrom(source, "t").size()).isEqualTo(SIZE);

        StubRequest head = sources.requested().get(0);
        assertThat(head.method()).isEqualTo("HEAD");
        assertThat(head.query()).isEqualTo("sp=r&sig=abcdefghijklmnopqrstuvwxyz");
        assertThat(head.header("Authorization")).isNull();
        assertThat(head.header("x-ms-client-marker")).isNull();
        StubRequest put = targets.requested().get(0);
        assertThat(put.header("x-ms-copy-source")).isEqualTo(source.toString());
        assertThat(put.header("x-ms-source-if-match")).isEqualTo("\"v1\"");
        assertThat(put.header("x-ms-meta-camera")).isEqualTo("x100");
        assertThat(archive.reactive()
                        .copyFrom(source, "t", with -> with.blockSize(400))
                        .block()
                        .size())
                .isEqualTo(SIZE);

        sources.respond(requested -> BlobStubResponse.refusal(403, "AuthenticationFailed"));
        assertThatExceptionOfType(AuthenticationException.class)
                .isThrownBy(() -> archive.copyFrom(source, "t"))
                .withMessageContaining(root)
                .withMessageNotContaining("abcdefghijklmnop");
        sources.respond(requested -> stored.apply(requested).without("ETag"));
        assertThat(catchThrowable(() -> archive.copyFrom(source, "t"))).hasMessageContaining("no version");
    }

    @Test
    @DisplayName("a source that cannot be copied is refused before anything is sent")
    void refusedSources() {
        for (String wrong : List.of(
                "ftp://host/a?sig=secret",
                "/photos/a?sig=secret",
                "https://me:secret@host/a",
                "https://host/a#secret",
                "mailto:me:secret@host",
                "https://host:x/a?sig=secret",
                "https://h_h:x/a?sig=secret",
                "https://h_h:65536/a?sig=secret")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> archive.copyFrom(URI.create(wrong), "t"))
                    .withMessageContaining("source is an address of HTTP")
                    .withMessageNotContaining("secret");
            assertThatIllegalArgumentException()
                    .isThrownBy(() ->
                            archive.reactive().copyFrom(URI.create(wrong), "t").block())
                    .withMessageNotContaining("secret");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> archive.copyFrom(photos, "", "t"));
        assertThatIllegalArgumentException().isThrownBy(() -> archive.copyFrom(photos, "a", ""));
        BlobContainer other = (BlobContainer) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {BlobContainer.class}, (self, method, with) -> null);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> archive.copyFrom(other, "a", "t"))
                .withMessageContaining("source is not a container of this library");
        assertThat(targets.requested()).isEmpty();
        assertThat(sources.requested()).isEmpty();

        URI longAddress = URI.create("http://127.0.0.1:1/" + "a".repeat(2_040) + "?sig=secretsecretsecret");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AddressSource(targets.scope(), longAddress)
                        .access("\"v1\"", Duration.ofMinutes(1))
                        .block())
                .withMessageContaining("the service takes 2048")
                .withMessageNotContaining("secretsecret");
    }
}
