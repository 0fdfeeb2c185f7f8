package io.stowline.blob.internal.upload;

import static io.stowline.blob.internal.base.BlobBench.MARK;
import static io.stowline.blob.internal.base.BlobBench.NOW;
import static io.stowline.blob.internal.base.BlobBench.OLD;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobBench;
import io.stowline.blob.internal.base.Md5;
import io.stowline.error.AuthenticationException;
import io.stowline.error.ConflictException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.error.UnreachableException;
import io.stowline.outcome.Evidence;
import io.stowline.transport.internal.http.FakeWire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The outcome of an upload whose response was lost. */
@Timeout(60)
class UploadOutcomeTest {

    private static final byte[] CONTENT = "content".getBytes(StandardCharsets.UTF_8);
    private static final String MD5 = Base64.getEncoder().encodeToString(Md5.of(java.nio.ByteBuffer.wrap(CONTENT)));

    private BlobBench bench = new BlobBench();

    private BlobBench.Running<BlobWriteResult> upload(UnaryOperator<UploadSettings.Builder> with) {
        UploadSettings settings = with.apply(UploadSettings.builder()).build();
        return bench.start(new Upload(bench.scope(), "a", settings).bytes(CONTENT));
    }

    /** An upload that must not replace anything, after a lost response; the test decides the rest. */
    private BlobBench.Running<BlobWriteResult> exclusive() {
        bench.losesTheResponse();
        return upload(with -> with);
    }

    private BlobBench.Running<BlobWriteResult> ofVersion() {
        bench.losesTheResponse();
        return upload(with -> with.ifMatch("\"e0\""));
    }

    private BlobBench showsOurs(String... changed) {
        String[] ours = {
            MARK, bench.mark(), "Content-Length", "7", "Content-MD5", MD5, "Content-Type", "application/octet-stream"
        };
        String[] all = java.util.Arrays.copyOf(ours, ours.length + changed.length);
        System.arraycopy(changed, 0, all, ours.length, changed.length);
        return bench.shows(NOW, NOW, all);
    }

    private int sent() {
        return bench.wire().sent().size();
    }

    private static void isReported(StorageException failure, Class<? extends StorageException> kind, String how) {
        assertThat(failure).isInstanceOf(kind).hasMessageContaining("not carried out: " + how);
        assertThat(failure.failure().unansweredAttempts()).isZero();
    }

    private static void isUnknown(StorageException failure, Class<? extends StorageException> cause, String seen) {
        assertThat(failure).isInstanceOf(OutcomeUnknownException.class).hasMessageContaining(seen);
        assertThat(failure.getCause()).isInstanceOf(cause);
        assertThat(failure.failure().unansweredAttempts()).isPositive();
    }

    @Test
    @DisplayName("OUTCOME-5: an upload leaves a mark of its own, and costs no request more while nothing goes wrong")
    void leavesAMark() throws Exception {
        bench.responds(201).responds(201);
        BlobWriteResult first = upload(with -> with).valueNow();
        upload(with -> with).valueNow();

        assertThat(first).isEqualTo(BlobWriteResult.confirmed("\"e1\"", NOW, 7, false));
        assertThat(bench.wire().sent())
                .extracting(request -> request.header(MARK))
                .doesNotContainNull()
                .doesNotHaveDuplicates();
    }

    @Test
    @DisplayName(
            "OUTCOME-5, OUTCOME-8: a conflict after a lost response is a success where the mark is ours, with the ETag"
                    + " of what was sent")
    void isOurs() throws Exception {
        var upload = exclusive();
        bench.refuses(409, "BlobAlreadyExists");
        showsOurs();
        bench.pass(Duration.ofSeconds(20));

        assertThat(upload.valueNow()).isEqualTo(BlobWriteResult.recovered("\"e1\"", NOW, 7, Evidence.MARKER, false));
        assertThat(bench.wire().last().method()).isEqualTo("HEAD");
        assertThat(bench.wire().sent()).hasSize(3);
        assertThat(bench.wire().sent().get(1).header(MARK)).isEqualTo(bench.mark());
    }

    @Test
    @DisplayName(
            "OUTCOME-8: metadata without room for a mark go without it, and the content tells after a lost response")
    void withoutRoomForAMark() throws Exception {
        String max = "v".repeat(8_191);
        UnaryOperator<UploadSettings.Builder> full = with -> with.metadata(Map.of("n", max));
        bench.losesTheResponse();
        var upload = upload(full);
        bench.refuses(409, "BlobAlreadyExists");
        bench.shows(
                NOW,
                NOW,
                "x-ms-meta-n",
                max,
                "Content-Length",
                "7",
                "Content-MD5",
                MD5,
                "Content-Type",
                "application/octet-stream");

        assertThat(upload.value()).isEqualTo(BlobWriteResult.recovered("\"e1\"", NOW, 7, Evidence.CONTENT, true));
        assertThat(bench.mark()).isNull();

        bench = new BlobBench();
        bench.losesTheResponse();
        var other = upload(full);
        bench.refuses(409, "BlobAlreadyExists").shows(NOW, NOW, "x-ms-meta-n", "other");
        isUnknown(other.failure(), ConflictException.class, "by an unknown writer");
    }

    @Test
    @DisplayName(
            "OUTCOME-9: of two attempts without a response one may have been carried out after the other's blob was"
                    + " removed")
    void mayBeRepeated() throws Exception {
        var upload = exclusive();
        bench.losesTheResponse().refuses(409, "BlobAlreadyExists");
        showsOurs();

        assertThat(upload.value().mayHaveRepeated()).isTrue();
    }

    @Test
    @DisplayName("OUTCOME-8: there is no ETag where somebody has changed the blob since")
    void hasNoEtagOfOthers() throws Exception {
        for (String[] change : new String[][] {
            {"Cache-Control", "no-cache"},
            {"x-ms-meta-owner", "me"},
            {"Content-Length", "8"},
            {"Content-MD5", "AAAAAAAAAAAAAAAAAAAAAA=="}
        }) {
            bench = new BlobBench();
            var upload = exclusive();
            bench.refuses(409, "BlobAlreadyExists");
            showsOurs(change);

            assertThat(upload.value()).isEqualTo(BlobWriteResult.recovered("", NOW, 7, Evidence.MARKER, false));
        }
    }

    @Test
    @DisplayName("OUTCOME-5: all attempts without a response, and the mark is there")
    void isOursAtLast() throws Exception {
        bench = new BlobBench(settings -> settings.retries(1).deadline(Duration.ofDays(1)));
        var upload = exclusive();
        bench.losesTheResponse();
        showsOurs();

        assertThat(upload.value().evidence()).isEqualTo(Evidence.MARKER);
    }

    @Test
    @DisplayName("OUTCOME-5: a response that cannot be read is a lost one")
    void isOursThoughUnreadable() throws Exception {
        bench.refuses(503, "ServerBusy");
        var upload = upload(with -> with);
        bench.wire().responds(201, "", "Last-Modified", "Thu, 29 Feb 2024 12:00:00 GMT");
        showsOurs();

        assertThat(upload.value().evidence()).isEqualTo(Evidence.MARKER);
    }

    @Test
    @DisplayName("OUTCOME-5, OUTCOME-0: a blob that is older is a conflict, told once no attempt can be carried out any"
            + " more")
    void isAnothers() {
        var upload = exclusive();
        bench.refuses(409, "BlobAlreadyExists").shows(OLD, OLD).shows(OLD, OLD);
        StorageException failure = upload.failure();

        isReported(failure, ConflictException.class, "what is there has been there");
        assertThat(sent()).isEqualTo(4);
        assertThat(bench.wire().last().at()).isGreaterThanOrEqualTo(Duration.ofSeconds(35));
    }

    @Test
    @DisplayName("OUTCOME-5: a blob that was made before and overwritten since is no less another's")
    void isAnothersThatWasOverwritten() {
        var upload = exclusive();
        bench.refuses(409, "BlobAlreadyExists").shows(OLD, NOW).shows(OLD, NOW);

        isReported(upload.failure(), ConflictException.class, "what is there has been there");
    }

    @Test
    @DisplayName("OUTCOME-0: what is not there before the horizon may be there after it")
    void isOursLate() throws Exception {
        bench = new BlobBench(settings -> settings.retries(1).deadline(Duration.ofDays(1)));
        var upload = exclusive();
        bench.losesTheResponse().shows(OLD, OLD);
        showsOurs();

        assertThat(upload.value().evidence()).isEqualTo(Evidence.MARKER);
    }

    @Test
    @DisplayName("OUTCOME-0: a younger blob without the mark proves nothing")
    void isYounger() {
        var upload = exclusive();
        bench.refuses(409, "BlobAlreadyExists").shows(NOW, NOW, MARK, "of another call");

        isUnknown(upload.failure(), ConflictException.class, "by an unknown writer");
        assertThat(sent()).isEqualTo(3);
    }

    @Test
    @DisplayName("OUTCOME-0: a blob that is gone proves nothing")
    void isGone() {
        var upload = exclusive();
        bench.refuses(409, "BlobAlreadyExists").refuses(404, "BlobNotFound");
        isUnknown(upload.failure(), ConflictException.class, "it is not there now");

        bench = new BlobBench();
        upload = exclusive();
        bench.refuses(409, "BlobAlreadyExists").refuses(404, "ContainerNotFound");
        isUnknown(upload.failure(), ConflictException.class, "its container is gone");
    }

    @Test
    @DisplayName("OUTCOME-0: who may not read learns nothing")
    void cannotBeRead() {
        var upload = exclusive();
        bench.refuses(409, "BlobAlreadyExists").refuses(403, "AuthorizationPermissionMismatch");

        isUnknown(upload.failure(), ConflictException.class, "reading back failed");
    }

    @Test
    @DisplayName("OUTCOME-0, RETRY-5: a deadline before the horizon leaves it open")
    void hasNoTime() {
        bench = new BlobBench(settings ->
                settings.deadline(Duration.ofSeconds(30)).reserve(Duration.ZERO).retries(1));
        var upload = exclusive();
        bench.refuses(409, "BlobAlreadyExists").shows(OLD, OLD);
        bench.pass(Duration.ofSeconds(5));

        isUnknown(upload.failureNow(), ConflictException.class, "the deadline leaves no time to see");
        assertThat(sent()).isEqualTo(3);
    }

    @Test
    @DisplayName("OUTCOME-5: a conflict at the first attempt is one, and nothing is read back")
    void isAConflictAtOnce() {
        bench.refuses(409, "BlobAlreadyExists");

        assertThat(upload(with -> with).failureNow()).isInstanceOf(ConflictException.class);
        assertThat(sent()).isEqualTo(1);
    }

    @Test
    @DisplayName("RETRY-2: attempts that were throttled are no doubt")
    void wasThrottled() throws Exception {
        bench.refuses(503, "ServerBusy").responds(201);

        assertThat(upload(with -> with).value()).isEqualTo(BlobWriteResult.confirmed("\"e1\"", NOW, 7, false));
        assertThat(sent()).isEqualTo(2);
    }

    @Test
    @DisplayName("OUTCOME-5: an upload for one version is known again by its mark, and is never repeated")
    void isOurVersion() throws Exception {
        var upload = ofVersion();
        bench.losesTheResponse().refuses(412, "ConditionNotMet");
        showsOurs();

        assertThat(upload.value()).isEqualTo(BlobWriteResult.recovered("\"e1\"", NOW, 7, Evidence.MARKER, false));
    }

    @Test
    @DisplayName("OUTCOME-5: a version that was replaced before the first attempt is told at once")
    void isAnotherVersion() {
        var upload = ofVersion();
        bench.refuses(412, "ConditionNotMet").shows(OLD, OLD);
        bench.pass(Duration.ofSeconds(20));

        isReported(
                upload.failureNow(), PreconditionFailedException.class, "the version that the write was for was gone");
        assertThat(sent()).isEqualTo(3);
    }

    @Test
    @DisplayName("OUTCOME-0: a version that is still there is no proof before the horizon")
    void isTheSameVersion() {
        bench = new BlobBench(settings -> settings.retries(1).deadline(Duration.ofDays(1)));
        var upload = ofVersion();
        bench.losesTheResponse().shows(OLD, NOW, "ETag", "\"e0\"").shows(OLD, NOW, "ETag", "\"e0\"");

        isReported(upload.failure(), UnreachableException.class, "the blob still has the version");
        assertThat(bench.wire().last().at()).isGreaterThanOrEqualTo(Duration.ofSeconds(35));
    }

    @Test
    @DisplayName("OUTCOME-0: another version that is younger, or none, proves nothing")
    void isAnUnknownVersion() {
        var upload = ofVersion();
        bench.refuses(412, "ConditionNotMet").shows(OLD, NOW);
        isUnknown(upload.failure(), PreconditionFailedException.class, "by an unknown writer");

        bench = new BlobBench();
        upload = ofVersion();
        bench.refuses(412, "ConditionNotMet").refuses(404, "BlobNotFound");
        isUnknown(upload.failure(), PreconditionFailedException.class, "it is not there now");
    }

    @Test
    @DisplayName(
            "OUTCOME-0: \"any version\" is no version, so that an older blob may still be replaced until the horizon")
    void isForAnyVersion() {
        bench.losesTheResponse();
        var upload = upload(with -> with.ifMatch("*"));
        bench.refuses(403, "AuthorizationFailure").shows(OLD, OLD).shows(OLD, OLD);

        isReported(upload.failure(), AuthenticationException.class, "what is there has been there");
        assertThat(sent()).isEqualTo(4);
    }

    @Test
    @DisplayName("OUTCOME-9: an upload that overwrites is sent again, leaves no mark, and says that it may be repeated")
    void overwrites() throws Exception {
        bench.losesTheResponse().responds(201);
        assertThat(upload(with -> with.overwrite()).value())
                .isEqualTo(BlobWriteResult.confirmed("\"e1\"", NOW, 7, true));
        assertThat(bench.wire().sent()).extracting(FakeWire.Sent::method).containsExactly("PUT", "PUT");
        assertThat(bench.mark()).isNull();
    }

    @Test
    @DisplayName("OUTCOME-9: an upload that overwrites and gets no response is not read back")
    void overwritesInVain() {
        bench = new BlobBench(settings -> settings.retries(1));
        bench.losesTheResponse().losesTheResponse();

        isUnknown(upload(with -> with.overwrite()).failure(), UnreachableException.class, "it can be made once more");
        assertThat(sent()).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "OUTCOME-5, OUTCOME-8: compressed content is known by its mark, and has its ETag if it is as it was sent")
    void isOursAndCompressed() throws Exception {
        for (String encoding : new String[] {"gzip", "br"}) {
            bench = new BlobBench();
            bench.losesTheResponse();
            UploadSettings gzip = UploadSettings.builder().gzip().build();
            var upload = bench.start(new Upload(bench.scope(), "a", gzip).bytes(new byte[5_000]));
            bench.awaitSent(1);
            FakeWire.Sent put = bench.wire().sent().get(0);
            String size = put.header("Content-Length");
            assertThat(put.header("x-ms-blob-content-encoding")).isEqualTo("gzip");
            bench.refuses(409, "BlobAlreadyExists");
            bench.shows(
                    NOW,
                    NOW,
                    MARK,
                    bench.mark(),
                    "x-ms-meta-stowlinegzip",
                    put.header("x-ms-meta-stowlinegzip"),
                    "Content-Length",
                    size,
                    "Content-MD5",
                    put.header("x-ms-blob-content-md5"),
                    "Content-Encoding",
                    encoding,
                    "Content-Type",
                    "application/octet-stream");

            assertThat(upload.value())
                    .isEqualTo(BlobWriteResult.recovered(
                            encoding.equals("gzip") ? "\"e1\"" : "",
                            NOW,
                            Integer.parseInt(size),
                            Evidence.MARKER,
                            false));
        }
    }
}
