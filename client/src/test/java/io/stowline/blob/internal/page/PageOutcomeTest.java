package io.stowline.blob.internal.page;

import static io.stowline.blob.internal.base.BlobBench.NOW;
import static io.stowline.blob.internal.base.BlobBench.OLD;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.PageBlobSettings;
import io.stowline.blob.internal.base.BlobBench;
import io.stowline.error.ConflictException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.error.UnreachableException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/** The outcome of changes of a page blob whose responses were lost. */
@Timeout(60)
class PageOutcomeTest {

    private static final byte[] PAGE = page('a');
    private static final String NONE_IN_USE = "<?xml version=\"1.0\" encoding=\"utf-8\"?><PageList></PageList>";
    private static final String IN_USE =
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><PageList><PageRange><Start>512</Start>"
                    + "<End>1023</End></PageRange></PageList>";

    private final BlobBench bench =
            new BlobBench(settings -> settings.retries(1).deadline(Duration.ofDays(1)));
    private final PageOperations disk = new PageOperations(bench.scope(), "disk");

    private static byte[] page(char content) {
        byte[] page = new byte[512];
        Arrays.fill(page, (byte) content);
        return page;
    }

    private void shows(Instant written, String... headers) {
        String[] all = Stream.concat(
                        Stream.of("Content-Length", "4096", "x-ms-blob-type", "PageBlob"), Stream.of(headers))
                .toArray(String[]::new);
        bench.shows(OLD, written, all);
    }

    private void holds(char content) {
        bench.wire()
                .responds(
                        206,
                        new String(page(content), StandardCharsets.US_ASCII),
                        "Content-Range",
                        "bytes 512-1023/4096",
                        "Content-Length",
                        "512",
                        "ETag",
                        "\"e1\"",
                        "x-ms-blob-type",
                        "PageBlob",
                        "Last-Modified",
                        BlobBench.date(NOW));
    }

    private void lists(String body) {
        bench.wire().responds(200, body, "ETag", "\"e1\"");
    }

    private BlobBench.Running<WriteResult> lost(Mono<WriteResult> change) {
        bench.losesTheResponse().losesTheResponse();
        return bench.start(change);
    }

    private int sent() {
        return bench.wire().sent().size();
    }

    private static void isRecovered(WriteResult result) {
        assertThat(result.evidence()).isEqualTo(Evidence.CONTENT);
        assertThat(result.etag()).isEmpty();
        assertThat(result.mayHaveRepeated()).isTrue();
    }

    private static void isUnknown(StorageException failure, String seen) {
        assertThat(failure).isInstanceOf(OutcomeUnknownException.class).hasMessageContaining(seen);
    }

    private static void isRefused(StorageException failure, Class<? extends StorageException> kind) {
        assertThat(failure).isInstanceOf(kind).hasMessageContaining("not carried out: ");
        assertThat(failure.failure().unansweredAttempts()).isZero();
    }

    @Test
    @DisplayName("OUTCOME-9: a write is sent again after a lost response, with the same effect")
    void isSentAgain() throws Exception {
        bench.losesTheResponse().responds(201);

        WriteResult result = bench.start(disk.write(512, PAGE)).value();

        assertThat(result).isEqualTo(WriteResult.confirmed("\"e1\"", true));
        assertThat(bench.wire().last().header("x-ms-range")).isEqualTo("bytes=512-1023");
        assertThat(bench.wire().last().header("x-ms-page-write")).isEqualTo("update");
        assertThat(bench.wire().last().header("Content-MD5")).isNotNull();
    }

    @Test
    @DisplayName("OUTCOME-0, OUTCOME-8: without any response the range is read back and compared: it holds the bytes")
    void isThere() throws Exception {
        var write = lost(disk.write(512, PAGE));
        holds('a');

        isRecovered(write.value());
        assertThat(bench.wire().last().header("x-ms-range")).isEqualTo("bytes=512-1023");
    }

    @Test
    @DisplayName("OUTCOME-0: other bytes in a blob that was last written before are a true failure after the horizon")
    void isNotThere() {
        var write = lost(disk.write(512, PAGE));
        holds('b');
        shows(OLD);
        holds('b');
        shows(OLD);

        isRefused(write.failure(), UnreachableException.class);
        assertThat(sent()).isEqualTo(6);
        assertThat(bench.wire().last().at()).isGreaterThanOrEqualTo(Duration.ofSeconds(35));
    }

    @Test
    @DisplayName("OUTCOME-0: a write may come late, and be found after the horizon")
    void comesLate() throws Exception {
        var write = lost(disk.write(512, PAGE));
        holds('b');
        shows(NOW);
        holds('a');

        isRecovered(write.value());
    }

    @Test
    @DisplayName("OUTCOME-0: other bytes in a blob that was written since prove nothing")
    void isUnknownAmongOthers() {
        var write = lost(disk.write(512, PAGE));
        holds('b');
        shows(NOW);
        holds('b');
        shows(NOW);

        isUnknown(write.failure(), "the range from 512 of 512 bytes is not as it was to be");
    }

    @Test
    @DisplayName("OUTCOME-2: a condition that fails on a retry is settled by the content")
    void conditionFailsOnARetry() throws Exception {
        PageOperations fenced = disk.ifSequenceNumber("eq", 7);
        bench.losesTheResponse();
        var write = bench.start(fenced.write(512, PAGE));
        bench.refuses(412, "SequenceNumberConditionNotMet");
        holds('a');
        isRecoveredOnce(write.value());
        assertThat(bench.wire().sent().get(0).header("x-ms-if-sequence-number-eq"))
                .isEqualTo("7");

        bench.losesTheResponse();
        write = bench.start(fenced.write(512, PAGE));
        bench.refuses(412, "SequenceNumberConditionNotMet");
        holds('b');
        shows(OLD);
        holds('b');
        shows(OLD);
        isRefused(write.failure(), PreconditionFailedException.class);
    }

    /** One attempt is unresolved, and may come until its horizon. */
    private static void isRecoveredOnce(WriteResult result) {
        assertThat(result.evidence()).isEqualTo(Evidence.CONTENT);
    }

    @Test
    @DisplayName("OUTCOME-0: a blob that is gone or cannot be read proves nothing")
    void cannotBeRead() {
        var write = lost(disk.write(512, PAGE));
        bench.refuses(404, "BlobNotFound");
        isUnknown(write.failure(), "it is not there now");

        write = lost(disk.write(512, PAGE));
        bench.refuses(403, "AuthorizationFailure");
        isUnknown(write.failure(), "reading back failed");
    }

    @Test
    @DisplayName("OUTCOME-0: a cleared range is not in use, which its listing shows")
    void clears() throws Exception {
        var clear = lost(disk.clear(512, 512));
        lists(NONE_IN_USE);
        isRecovered(clear.value());
        assertThat(bench.wire().last().header("x-ms-range")).isEqualTo("bytes=512-1023");
        assertThat(bench.wire().sent().get(0).header("x-ms-page-write")).isEqualTo("clear");

        clear = lost(disk.clear(512, 512));
        lists(IN_USE);
        shows(OLD);
        lists(IN_USE);
        shows(OLD);
        isRefused(clear.failure(), UnreachableException.class);

        clear = lost(disk.clear(512, 512));
        lists(IN_USE);
        shows(NOW);
        lists(IN_USE);
        shows(NOW);
        isUnknown(clear.failure(), "the range from 512 of 512 bytes is not as it was to be");
    }

    @Test
    @DisplayName("OUTCOME-0: the size decides about a change of the size")
    void resizes() throws Exception {
        var resize = lost(disk.resize(4096));
        shows(NOW);
        isRecovered(resize.value());

        resize = lost(disk.resize(512));
        shows(OLD);
        shows(OLD);
        shows(OLD);
        shows(OLD);
        isRefused(resize.failure(), UnreachableException.class);
    }

    @Test
    @DisplayName("OUTCOME-0: the sequence number decides about a change of the number; a larger one is raised, too")
    void numbers() throws Exception {
        var change = lost(disk.setSequenceNumber(7));
        shows(NOW, "x-ms-blob-sequence-number", "7");
        isRecovered(change.value());
        assertThat(bench.wire().sent().get(0).header("x-ms-sequence-number-action"))
                .isEqualToIgnoringCase("update");

        change = lost(disk.raiseSequenceNumber(7));
        shows(NOW, "x-ms-blob-sequence-number", "9");
        isRecovered(change.value());

        change = lost(disk.setSequenceNumber(7));
        shows(NOW, "x-ms-blob-sequence-number", "9");
        shows(NOW);
        shows(NOW, "x-ms-blob-sequence-number", "9");
        shows(NOW);
        isUnknown(change.failure(), "the sequence number is not as it was to be");

        change = lost(disk.setSequenceNumber(0));
        shows(NOW);
        shows(NOW);
        shows(NOW);
        shows(NOW);
        isUnknown(change.failure(), "the sequence number is not as it was to be");
    }

    @Test
    @DisplayName("OUTCOME-5: a creation that meets a blob on a retry is found by its marker")
    void creates() throws Exception {
        PageCreation creation = creation(with -> with);
        bench.losesTheResponse();
        var create = bench.start(creation.make().thenReturn(true));
        bench.awaitSent(1);
        bench.refuses(409, "BlobAlreadyExists");
        shows(NOW, BlobBench.MARK, bench.mark());
        assertThat(create.value()).isTrue();
        assertThat(bench.wire().sent().get(0).header("x-ms-blob-content-length"))
                .isEqualTo("4096");
        assertThat(bench.wire().sent().get(0).header("If-None-Match")).isEqualTo("*");

        bench.losesTheResponse().refuses(409, "BlobAlreadyExists");
        shows(OLD);
        shows(OLD);
        isRefused(bench.start(creation.make().thenReturn(true)).failure(), ConflictException.class);
    }

    @Test
    @DisplayName("OUTCOME-2: a replacement names the version that it has seen, and is found by its marker")
    void replaces() throws Exception {
        PageCreation creation = creation(with -> with.overwrite());
        shows(OLD);
        bench.losesTheResponse();
        var create = bench.start(creation.make().thenReturn(true));
        bench.awaitSent(2);
        bench.refuses(412, "ConditionNotMet");
        shows(NOW, BlobBench.MARK, bench.wire().sent().get(1).header(BlobBench.MARK));
        assertThat(create.value()).isTrue();
        assertThat(bench.wire().sent().get(1).header("If-Match")).isEqualTo("\"e1\"");
    }

    private PageCreation creation(UnaryOperator<PageBlobSettings.Builder> settings) {
        return new PageCreation(
                bench.scope(),
                "disk",
                4096,
                settings.apply(PageBlobSettings.builder()).build());
    }

    static Stream<String> goes() {
        return Stream.of("write", "clear", "resize");
    }

    @ParameterizedTest
    @MethodSource("goes")
    @DisplayName("PERMIT-4: after an unknown outcome the next call works")
    void goesOn(String verb) throws Exception {
        var change = lost(change(verb));
        bench.refuses(403, "AuthorizationFailure");
        isUnknown(change.failure(), "reading back failed");

        bench.responds(verb.equals("resize") ? 200 : 201);
        assertThat(bench.start(change(verb)).value()).isEqualTo(WriteResult.confirmed("\"e1\"", false));
    }

    private Mono<WriteResult> change(String verb) {
        return switch (verb) {
            case "write" -> disk.write(0, PAGE);
            case "clear" -> disk.clear(0, 512);
            default -> disk.resize(512);
        };
    }
}
