package io.stowline.blob.internal.append;

import static io.stowline.blob.internal.base.BlobBench.NOW;
import static io.stowline.blob.internal.base.BlobBench.OLD;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.internal.base.BlobBench;
import io.stowline.error.ConflictException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.error.UnreachableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The outcome of an append whose response was lost. The blob had 6 bytes before. */
@Timeout(60)
class AppendOutcomeTest {

    private static final byte[] LINE = "line".getBytes(StandardCharsets.UTF_8);

    private final BlobBench bench =
            new BlobBench(settings -> settings.retries(1).deadline(Duration.ofDays(1)));
    private final AppendOperations log = new AppendOperations(bench.scope(), "log");

    private BlobBench has(Instant made, int length) {
        return bench.shows(made, NOW, "Content-Length", Integer.toString(length), "x-ms-blob-type", "AppendBlob");
    }

    private void hasSinceLong(int length) {
        bench.shows(OLD, OLD, "Content-Length", Integer.toString(length), "x-ms-blob-type", "AppendBlob");
    }

    /** Appends; the end of the blob is requested, and the first attempt gets no response. */
    private BlobBench.Running<BlobWriteResult> append() {
        has(OLD, 6).losesTheResponse();
        var append = bench.start(log.append(LINE));
        bench.awaitSent(2);
        return append;
    }

    private BlobBench.Running<BlobWriteResult> refused() {
        var append = append();
        bench.refuses(412, "AppendPositionConditionNotMet");
        return append;
    }

    /** The bytes from position 6 on. */
    private void holds(String text, int length) {
        holds(bench, text, length);
    }

    private static void holds(BlobBench bench, String text, int length) {
        bench.wire()
                .responds(
                        206,
                        text,
                        "Content-Range",
                        "bytes 6-" + (5 + text.length()) + "/" + length,
                        "Content-Length",
                        Integer.toString(text.length()),
                        "ETag",
                        "\"e1\"",
                        "x-ms-blob-type",
                        "AppendBlob",
                        "Last-Modified",
                        BlobBench.date(NOW));
    }

    private int sent() {
        return bench.wire().sent().size();
    }

    private static void isSettled(StorageException failure, Class<? extends StorageException> kind, String how) {
        assertThat(failure).isInstanceOf(kind).hasMessageContaining("not carried out: " + how);
        assertThat(failure.failure().unansweredAttempts()).isZero();
    }

    private static void isUnknown(StorageException failure, String seen) {
        assertThat(failure).isInstanceOf(OutcomeUnknownException.class).hasMessageContaining(seen);
    }

    @Test
    @DisplayName(
            "OUTCOME-6, OUTCOME-8: our bytes at the position are the append, by their content, and the next one asks"
                    + " for the end")
    void isThere() throws Exception {
        var append = refused();
        has(OLD, 10);
        holds("line", 10);
        assertThat(append.value())
                .isEqualTo(BlobWriteResult.recoveredAppend(NOW, 6, 10))
                .matches(done -> !done.mayHaveRepeated());
        assertThat(sent()).isEqualTo(5);
        assertThat(bench.wire().last().header("x-ms-range")).isEqualTo("bytes=6-9");
        assertThat(bench.wire().last().header("If-Match")).isNull();

        has(OLD, 10).responds(201);
        assertThat(bench.start(log.append(LINE)).value().offset()).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"line", "LINE"})
    @DisplayName("OUTCOME-6, WORLD-2: the bytes at the position decide where the response lacks the length")
    void noLength(String there) throws Exception {
        var append = refused();
        bench.shows(OLD, NOW, "x-ms-blob-type", "AppendBlob");
        holds(there, 10);
        if (there.equals("line")) {
            assertThat(append.value()).isEqualTo(BlobWriteResult.recoveredAppend(NOW, 6, 10));
        } else {
            isUnknown(append.failure(), "the response does not give the length of the blob");
        }
    }

    @Test
    @DisplayName("OUTCOME-6: our bytes are found though others have appended after them, and the blob is young")
    void isThereAmongOthers() throws Exception {
        var append = refused();
        has(NOW, 20);
        holds("line", 20);

        assertThat(append.value().end()).isEqualTo(10);
    }

    @Test
    @DisplayName("OUTCOME-6: without any response our bytes are looked for too")
    void isThereAtLast() throws Exception {
        var append = append();
        bench.losesTheResponse();
        has(OLD, 10);
        holds("line", 10);

        assertThat(append.value().offset()).isEqualTo(6);
    }

    @Test
    @DisplayName(
            "OUTCOME-6: other bytes at the position, written before our first attempt, are a true refusal after the"
                    + " horizon")
    void isTaken() {
        var append = refused();
        hasSinceLong(10);
        holds("else", 10);
        hasSinceLong(10);
        holds("else", 10);

        isSettled(append.failure(), PreconditionFailedException.class, "other bytes stand at position 6");
        assertThat(sent()).isEqualTo(7);
        assertThat(bench.wire().last().at()).isGreaterThanOrEqualTo(Duration.ofSeconds(35));
    }

    @Test
    @DisplayName("OUTCOME-6: fewer bytes than ours are another's, and need not be read")
    void isTakenByLess() {
        var append = refused();
        hasSinceLong(8);
        hasSinceLong(8);

        isSettled(
                append.failure(),
                PreconditionFailedException.class,
                "other bytes stand at position 6, and the blob has 8");
        assertThat(sent()).isEqualTo(5);
    }

    @Test
    @DisplayName("OUTCOME-6, OUTCOME-0: other bytes in a blob that was written since prove nothing, however old it is")
    void mayHaveBeenEmptied() {
        var append = refused();
        has(OLD, 8);

        isUnknown(append.failure(), "it may have been emptied and filled");
    }

    @Test
    @DisplayName("OUTCOME-6, OUTCOME-0: a look that meets a fault is repeated while the deadline leaves time")
    void looksAgain() throws Exception {
        var append = refused();
        bench.losesTheResponse().losesTheResponse();
        has(OLD, 10);
        holds("line", 10);

        assertThat(append.value().offset()).isEqualTo(6);
    }

    @Test
    @DisplayName("OUTCOME-6, OUTCOME-0: a blob that has become shorter proves nothing")
    void isShorter() {
        var append = refused();
        has(OLD, 5);

        isUnknown(append.failure(), "the blob has 5 bytes now");
    }

    @Test
    @DisplayName("OUTCOME-6, OUTCOME-0: a blob that is refused for its position and has it again was made anew")
    void isShorterAgain() {
        var append = refused();
        has(OLD, 6);

        isUnknown(append.failure(), "the blob has 6 bytes now");
    }

    @Test
    @DisplayName("OUTCOME-6: a blob that still ends there after the horizon has not been appended to")
    void isNotThere() {
        var append = append();
        bench.losesTheResponse();
        hasSinceLong(6);
        hasSinceLong(6);

        isSettled(append.failure(), UnreachableException.class, "the blob still ends at position 6");
        assertThat(bench.wire().last().at()).isGreaterThanOrEqualTo(Duration.ofSeconds(35));
    }

    @Test
    @DisplayName("OUTCOME-6, OUTCOME-0: an append may come late, and be found after the horizon")
    void comesLate() throws Exception {
        var append = append();
        bench.losesTheResponse();
        has(OLD, 6);
        has(OLD, 10);
        holds("line", 10);

        assertThat(append.value().end()).isEqualTo(10);
    }

    @Test
    @DisplayName("OUTCOME-6, OUTCOME-0: a blob that still ends there and was written since may have been emptied")
    void isNotThereInABlobWrittenSince() {
        var append = append();
        bench.losesTheResponse();
        has(OLD, 6);
        has(OLD, 6);

        isUnknown(
                append.failure(),
                "may have been written after the first attempt (the service's time has whole seconds): it may have been"
                        + " emptied");
    }

    @Test
    @DisplayName("OUTCOME-6, OUTCOME-0: a blob that is gone or cannot be read proves nothing")
    void cannotBeRead() {
        var append = refused();
        bench.refuses(404, "BlobNotFound");
        isUnknown(append.failure(), "it is not there now");

        has(OLD, 6).losesTheResponse();
        append = bench.start(log.append(LINE));
        bench.refuses(412, "AppendPositionConditionNotMet");
        has(OLD, 10);
        bench.refuses(403, "AuthorizationFailure");
        isUnknown(append.failure(), "reading back failed");
    }

    @Test
    @DisplayName("OUTCOME-6: other refusals after a lost response are settled the same way")
    void isRefusedOtherwise() {
        var append = append();
        bench.refuses(409, "BlockCountExceedsLimit");
        hasSinceLong(6);
        hasSinceLong(6);

        isSettled(append.failure(), ConflictException.class, "the blob still ends at position 6");
    }

    /** An append to a blob of 6 bytes whose only attempt is cancelled after 3.5 s, and then this finds the blob. */
    private static BlobBench.Running<BlobWriteResult> cutShort(BlobBench short35, Runnable found) {
        AppendOperations log = new AppendOperations(short35.scope(), "log");
        short35.shows(OLD, NOW, "Content-Length", "6", "x-ms-blob-type", "AppendBlob");
        short35.wire().staysSilent();
        found.run();
        var append = short35.start(log.append(LINE));
        short35.awaitSent(2);
        short35.pass(Duration.ofMillis(3_500));
        return append;
    }

    private static BlobBench within(Duration deadline) {
        return new BlobBench(settings -> settings.retries(0)
                .serverTimeout(Duration.ofSeconds(2))
                .grace(Duration.ofMillis(1_500))
                .deadline(deadline));
    }

    private static void hasTheLine(BlobBench bench) {
        bench.shows(OLD, NOW, "Content-Length", "10", "x-ms-blob-type", "AppendBlob");
        holds(bench, "line", 10);
    }

    @ParameterizedTest
    @DisplayName("RETRY-5, OUTCOME-6: a look may use the time that is kept back for it, its last request too")
    @ValueSource(ints = {4_200, 4_800, 5_100})
    void looksInTheReserve(int deadline) throws Exception {
        BlobBench brief = within(Duration.ofMillis(deadline));

        var append = cutShort(brief, () -> hasTheLine(brief));

        assertThat(append.valueNow()).isEqualTo(BlobWriteResult.recoveredAppend(NOW, 6, 10));
    }

    @Test
    @DisplayName("OUTCOME-6, RETRY-7: a look that finds no time for its last request leaves the outcome unknown")
    void hasNoTimeToLook() {
        BlobBench brief = within(Duration.ofMillis(4_200));
        var append = cutShort(brief, () -> brief.wire()
                .respondsAfter(
                        Duration.ofMillis(600),
                        200,
                        "",
                        "ETag",
                        "\"e1\"",
                        "x-ms-creation-time",
                        BlobBench.date(OLD),
                        "Last-Modified",
                        BlobBench.date(NOW),
                        "Date",
                        BlobBench.date(NOW),
                        "Content-Length",
                        "10",
                        "x-ms-blob-type",
                        "AppendBlob"));
        brief.awaitSent(3);
        brief.pass(Duration.ofMillis(600));

        isUnknown(append.failureNow(), "reading back failed");
    }

    @Test
    @DisplayName("RETRY-5: asking for the end and appending have one deadline together")
    void oneDeadline() {
        BlobBench brief = within(Duration.ofSeconds(5));
        brief.wire()
                .respondsAfter(
                        Duration.ofSeconds(3),
                        200,
                        "",
                        "ETag",
                        "\"e1\"",
                        "Last-Modified",
                        BlobBench.date(NOW),
                        "Content-Length",
                        "6",
                        "x-ms-blob-type",
                        "AppendBlob")
                .staysSilent()
                .staysSilent();
        var append = brief.start(new AppendOperations(brief.scope(), "log").append(LINE));
        brief.awaitSent(1);
        brief.pass(Duration.ofSeconds(3));
        brief.awaitSent(2);
        brief.pass(Duration.ofMillis(1_300));
        brief.awaitSent(3);
        brief.pass(Duration.ofMillis(700));

        isUnknown(append.failureNow(), "attempt 1 gave no response within PT1.3S");
    }
}
