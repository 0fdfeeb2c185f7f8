package io.stowline.blob.internal.operations;

import static io.stowline.blob.internal.base.BlobBench.MARK;
import static io.stowline.blob.internal.base.BlobBench.NOW;
import static io.stowline.blob.internal.base.BlobBench.OLD;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.internal.base.BlobBench;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.error.UnreachableException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteResult;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

/** The outcome of deletions and of changes of metadata and headers whose response was lost. */
@Timeout(60)
class BlobChangesTest {

    private static final String V1 = "\"v1\"";
    private static final Map<String, String> OWNER = Map.of("owner", "me");

    private static final String TIME = "x-ms-meta-stowlinemodified";

    private BlobBench bench = new BlobBench(settings -> settings.retries(1).deadline(Duration.ofDays(1)));

    private BlobOperations verbs() {
        return new BlobOperations(bench.scope());
    }

    private <A> BlobBench.Running<A> afterALostResponse(Mono<A> call) {
        bench.losesTheResponse();
        return bench.start(call);
    }

    /** The blob was read, and the response to the change of its metadata was lost. */
    private BlobBench.Running<WriteResult> settingMetadata(Map<String, String> metadata, String etag) {
        bench.shows(OLD, OLD, "ETag", V1).losesTheResponse();
        var setting = bench.start(verbs().setMetadata("a", metadata, etag));
        bench.awaitSent(2);
        return setting;
    }

    private String markOf(int request) {
        return bench.wire().sent().get(request).header(MARK);
    }

    private void again() {
        bench = new BlobBench(settings -> settings.retries(1).deadline(Duration.ofDays(1)));
    }

    private int sent() {
        return bench.wire().sent().size();
    }

    private static void isSettled(StorageException failure, Class<? extends StorageException> kind) {
        assertThat(failure).isInstanceOf(kind).hasMessageContaining("not carried out: ");
        assertThat(failure.failure().unansweredAttempts()).isZero();
    }

    private static void isUnknown(StorageException failure, String seen) {
        assertThat(failure).isInstanceOf(OutcomeUnknownException.class).hasMessageContaining(seen);
    }

    @Test
    @DisplayName("OUTCOME-3: a blob that is gone after a lost response is removed, and nothing more is asked")
    void removes() throws Exception {
        var removing = afterALostResponse(verbs().deleteIfExists("a"));
        bench.refuses(404, "BlobNotFound");

        assertThat(removing.value()).isTrue();
        assertThat(sent()).isEqualTo(2);
    }

    @Test
    @DisplayName("OUTCOME-3: the result of a removal has its outcome and the evidence for it")
    void reportsRemovals() throws Exception {
        bench.responds(202);
        assertThat(bench.start(verbs().delete("a", null)).value()).isEqualTo(WriteResult.confirmed("", false));

        again();
        var removing = afterALostResponse(verbs().delete("a", null));
        bench.refuses(404, "BlobNotFound");
        assertThat(removing.value()).isEqualTo(WriteResult.absent(Evidence.CONTENT, true));
    }

    @Test
    @DisplayName("OUTCOME-3: after lost responses only, a look shows that the blob is gone")
    void removesAtLast() throws Exception {
        var removing = afterALostResponse(verbs().deleteIfExists("a"));
        bench.losesTheResponse().refuses(404, "BlobNotFound");

        assertThat(removing.value()).isTrue();
        assertThat(sent()).isEqualTo(3);
    }

    @Test
    @DisplayName("OUTCOME-3: a container that is gone is not a blob that was removed")
    void hasNoContainer() {
        var removing = afterALostResponse(verbs().delete("a", null));
        bench.refuses(404, "ContainerNotFound").refuses(404, "ContainerNotFound");

        isUnknown(removing.failure(), "its container is gone");
    }

    @Test
    @DisplayName("OUTCOME-0: a blob that has been there all the time was not removed, once the horizon is over")
    void removesNothing() {
        var removing = afterALostResponse(verbs().delete("a", null));
        bench.losesTheResponse().shows(OLD, NOW).shows(OLD, NOW);

        isSettled(removing.failure(), UnreachableException.class);
        assertThat(bench.wire().last().at()).isGreaterThanOrEqualTo(Duration.ofSeconds(35));
    }

    @Test
    @DisplayName("OUTCOME-0: a younger blob may have taken the place of the one that was removed")
    void mayHaveRemovedTheOneBefore() {
        var removing = afterALostResponse(verbs().delete("a", null));
        bench.losesTheResponse().shows(NOW, NOW);

        isUnknown(removing.failure(), "may have been made after the first attempt");
    }

    @Test
    @DisplayName("OUTCOME-3: the deletion of a version that is gone after a lost response is unknown")
    void mayHaveRemovedTheVersion() {
        var removing = afterALostResponse(verbs().delete("a", V1));
        bench.refuses(404, "BlobNotFound");
        isUnknown(removing.failure(), "the blob is gone; this call may have removed it");
        assertThat(sent()).isEqualTo(2);

        again();
        removing = afterALostResponse(verbs().delete("a", V1));
        bench.refuses(412, "ConditionNotMet").shows(NOW, NOW);
        isUnknown(removing.failure(), "may have been made after the first attempt");
    }

    @Test
    @DisplayName(
            "OUTCOME-3, OUTCOME-0: a version was not removed if it is still there after the horizon, or its blob has"
                    + " outlived it")
    void removesNoVersion() {
        var removing = afterALostResponse(verbs().delete("a", V1));
        bench.losesTheResponse().shows(NOW, NOW, "ETag", V1).shows(NOW, NOW, "ETag", V1);
        isSettled(removing.failure(), UnreachableException.class);
        assertThat(sent()).isEqualTo(4);

        again();
        removing = afterALostResponse(verbs().delete("a", V1));
        bench.refuses(412, "ConditionNotMet").shows(OLD, NOW);
        isSettled(removing.failure(), PreconditionFailedException.class);
        assertThat(sent()).isEqualTo(3);
    }

    @Test
    @DisplayName("OUTCOME-3: at the first attempt everything is as the service says")
    void isReportedAtOnce() throws Exception {
        bench.refuses(404, "BlobNotFound").refuses(404, "BlobNotFound").refuses(412, "ConditionNotMet");

        assertThat(bench.start(verbs().deleteIfExists("a")).valueNow()).isFalse();
        assertThat(bench.start(verbs().delete("a", V1)).failureNow()).isInstanceOf(NotFoundException.class);
        assertThat(bench.start(verbs().setMetadata("a", OWNER, V1)).failureNow())
                .isInstanceOf(PreconditionFailedException.class);
        assertThat(sent()).isEqualTo(3);
    }

    @Test
    @DisplayName("OUTCOME-2, OUTCOME-8: metadata set on one version are known again by their mark, without an ETag")
    void setsMetadata() throws Exception {
        var setting = settingMetadata(OWNER, V1);
        bench.refuses(412, "ConditionNotMet").shows(OLD, NOW, MARK, markOf(1));

        assertThat(setting.value().etag()).isEmpty();
        assertThat(markOf(2)).isEqualTo(markOf(1)).isNotNull();
    }

    @Test
    @DisplayName("OUTCOME-8: metadata without room for a mark go without it, and are known again by themselves")
    void setsFullMetadata() throws Exception {
        String max = "v".repeat(8_191);
        var setting = settingMetadata(Map.of("n", max), V1);
        bench.refuses(412, "ConditionNotMet").shows(OLD, NOW, "x-ms-meta-n", max);

        assertThat(setting.value().etag()).isEmpty();
        assertThat(markOf(1)).isNull();
    }

    @Test
    @DisplayName(
            "OUTCOME-2: metadata without the mark were not set if the version is still there or was gone before, else"
                    + " it is unknown")
    void setsNoMetadata() {
        var setting = settingMetadata(OWNER, V1);
        bench.losesTheResponse().shows(OLD, NOW, "ETag", V1).shows(OLD, NOW, "ETag", V1);
        isSettled(setting.failure(), UnreachableException.class);

        again();
        setting = settingMetadata(OWNER, V1);
        bench.refuses(412, "ConditionNotMet").shows(OLD, OLD);
        isSettled(setting.failure(), PreconditionFailedException.class);

        again();
        setting = settingMetadata(OWNER, V1);
        bench.refuses(412, "ConditionNotMet").shows(OLD, NOW);
        isUnknown(setting.failure(), "by an unknown writer");
    }

    @Test
    @DisplayName("OUTCOME-9: metadata set on any version are sent again, without a mark, and not read back")
    void setsMetadataOfAnyVersion() throws Exception {
        var setting = settingMetadata(OWNER, null);
        bench.responds(200);
        assertThat(setting.value().etag()).isEqualTo("\"e1\"");
        assertThat(markOf(1)).isNull();

        again();
        setting = settingMetadata(OWNER, null);
        bench.losesTheResponse();
        isUnknown(setting.failure(), "");
        assertThat(sent()).isEqualTo(3);
    }

    @Test
    @DisplayName(
            "WORLD-3: the time of a file that a directory upload keeps in the metadata stays, whatever metadata are"
                    + " set")
    void keepsTheTime() throws Exception {
        String time = "2020-01-02T03:04:05.006Z";
        for (String etag : Arrays.asList(V1, null)) {
            again();
            bench.shows(OLD, OLD, "ETag", V1, TIME, time, "x-ms-meta-owner", "other")
                    .responds(200);

            assertThat(bench.start(verbs().setMetadata("a", OWNER, etag))
                            .value()
                            .etag())
                    .isEqualTo("\"e1\"");
            assertThat(bench.wire().sent().get(1).header(TIME)).isEqualTo(time);
            assertThat(bench.wire().sent().get(1).header("x-ms-meta-owner")).isEqualTo("me");
            assertThat(bench.wire().sent().get(1).header("If-Match")).isEqualTo(V1);
            assertThat(sent()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName(
            "WORLD-3: a blob that others write at the same time is read again, and the time of another version is not"
                    + " kept")
    void readsAgain() throws Exception {
        again();
        bench.shows(OLD, OLD, "ETag", V1, TIME, "2020-01-02T03:04:05.006Z")
                .refuses(412, "ConditionNotMet")
                .shows(OLD, NOW, "ETag", "\"v2\"", TIME, "2021-01-02T03:04:05.006Z")
                .responds(200);
        assertThat(bench.start(verbs().setMetadata("a", OWNER, null)).value().etag())
                .isEqualTo("\"e1\"");
        assertThat(bench.wire().sent().get(3).header(TIME)).startsWith("2021");
        assertThat(bench.wire().sent().get(3).header("If-Match")).isEqualTo("\"v2\"");

        again();
        for (int i = 0; i < 3; i++) {
            bench.shows(OLD, OLD, "ETag", V1, TIME, "2020-01-02T03:04:05.006Z").refuses(412, "ConditionNotMet");
        }
        bench.responds(200);
        assertThat(bench.start(verbs().setMetadata("a", OWNER, null)).value().etag())
                .isEqualTo("\"e1\"");
        assertThat(bench.wire().sent().get(6).header(TIME)).isNull();
        assertThat(bench.wire().sent().get(6).header("If-Match")).isNull();
    }

    @Test
    @DisplayName(
            "OUTCOME-9, WORLD-3: after a lost response the metadata are set once more, on the version that is there")
    void setsAgainWithTheTime() throws Exception {
        again();
        bench.shows(OLD, OLD, "ETag", V1, TIME, "2020-01-02T03:04:05.006Z").losesTheResponse();
        var setting = bench.start(verbs().setMetadata("a", OWNER, null));
        bench.awaitSent(2);
        bench.refuses(412, "ConditionNotMet")
                .shows(OLD, NOW, "ETag", "\"v2\"", TIME, "2020-01-02T03:04:05.006Z")
                .responds(200);

        assertThat(setting.value().etag()).isEqualTo("\"e1\"");
        assertThat(bench.wire().last().header("If-Match")).isEqualTo("\"v2\"");
        assertThat(bench.wire().last().header(TIME)).startsWith("2020");

        again();
        bench.shows(OLD, OLD, "ETag", V1, TIME, "2020-01-02T03:04:05.006Z").losesTheResponse();
        setting = bench.start(verbs().setMetadata("a", OWNER, null));
        bench.awaitSent(2);
        bench.refuses(412, "ConditionNotMet").refuses(404, "BlobNotFound");
        isUnknown(setting.failure(), "");
    }

    @Test
    @DisplayName("WORLD-3: a client that may not read a blob sets its metadata at once")
    void mayNotRead() throws Exception {
        bench.refuses(403, "AuthorizationPermissionMismatch").responds(200);

        assertThat(bench.start(verbs().setMetadata("a", OWNER, null)).value().etag())
                .isEqualTo("\"e1\"");
        assertThat(sent()).isEqualTo(2);
    }

    private BlobBench.Running<WriteResult> setsHeaders() {
        bench.shows(OLD, OLD, "ETag", V1, "Content-Language", "en").losesTheResponse();
        var setting = bench.start(verbs().setHeaders("a", with -> with.cacheControl("no-cache")));
        bench.awaitSent(2);
        bench.refuses(412, "ConditionNotMet");
        return setting;
    }

    @Test
    @DisplayName("OUTCOME-2, OUTCOME-8: headers that are as they were to be are set, whoever did it")
    void setsTheHeaders() throws Exception {
        var setting = setsHeaders();
        bench.shows(OLD, NOW, "Content-Language", "en", "Cache-Control", "no-cache");

        assertThat(setting.value().etag()).isEmpty();
        assertThat(sent()).isEqualTo(4);
    }

    @Test
    @DisplayName("OUTCOME-2: other headers tell nothing, but those of a version from before")
    void setsNoHeaders() {
        var setting = setsHeaders();
        bench.shows(OLD, NOW, "Content-Language", "en");
        isUnknown(setting.failure(), "by an unknown writer");

        again();
        setting = setsHeaders();
        bench.shows(OLD, OLD, "Content-Language", "en", "Cache-Control", "no-cache");
        isSettled(setting.failure(), PreconditionFailedException.class);
    }

    @Test
    @DisplayName("RETRY-5: reading the headers and setting them have one deadline together")
    void oneDeadline() {
        BlobBench brief = new BlobBench(settings -> settings.retries(0)
                .serverTimeout(Duration.ofSeconds(2))
                .grace(Duration.ofMillis(1_500))
                .deadline(Duration.ofSeconds(5)));
        brief.wire()
                .respondsAfter(
                        Duration.ofSeconds(3),
                        200,
                        "",
                        "ETag",
                        V1,
                        "Last-Modified",
                        BlobBench.date(OLD),
                        "x-ms-blob-type",
                        "BlockBlob")
                .staysSilent()
                .staysSilent();
        var setting =
                brief.start(new BlobOperations(brief.scope()).setHeaders("a", with -> with.cacheControl("no-cache")));
        brief.awaitSent(1);
        brief.pass(Duration.ofSeconds(3));
        brief.awaitSent(2);
        brief.pass(Duration.ofMillis(1_300));
        brief.awaitSent(3);
        brief.pass(Duration.ofMillis(700));

        assertThat(setting.failureNow())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("attempt 1 gave no response within PT1.3S");
    }
}
