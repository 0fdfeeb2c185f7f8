package io.stowline.blob.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.DirectorySettings;
import io.stowline.blob.Transfer;
import io.stowline.blob.TransferFailedException;
import io.stowline.blob.TransferReport;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.directory.ListedBlobs.Listed;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deletions of what a listing shows to be more than a plain blob. */
@Timeout(60)
class DirectoryDeletionTest {

    private final ListedBlobs service = new ListedBlobs();
    private final StubBlobs blobs = new StubBlobs(service);
    private final BlobContainer photos = blobs.container().withRetry(with -> with.retries(0));
    private final Map<String, Item> items = new ConcurrentHashMap<>();

    @AfterEach
    void close() {
        blobs.close();
    }

    private TransferReport delete(UnaryOperator<DirectorySettings.Builder> settings) {
        items.clear();
        return photos.deleteDirectory("d", with -> settings.apply(with.eachItem(item -> items.put(item.name(), item))))
                .join();
    }

    private void assertSkipped(String name, String why) {
        assertThat(items.get(name).action()).isEqualTo(Action.SKIPPED);
        assertThat(items.get(name).error()).hasMessageContaining(why);
    }

    @Test
    @DisplayName("WORLD-1: folders of a hierarchical namespace are deleted behind what lies in them, deepest first")
    void foldersLast() {
        service.folders("d/a", "d/a/b", "d/a/b/c", "d/e")
                .content("d/a-1", "d/a/1", "d/a/b/2", "d/a/b/c/3", "d/a0", "d/z");

        TransferReport report = delete(with -> with);

        assertThat(service.left()).isEmpty();
        assertThat(report.deleted()).isEqualTo(10);
        assertThat(report.skipped()).isZero();
    }

    @Test
    @DisplayName("WORLD-1: folders by the thousand are deleted, whatever the groups are that their contents come in")
    void manyFolders() {
        for (int i = 0; i < 400; i++) {
            String folder = "d/" + (i % 7) + "/" + i;
            service.folders("d/" + (i % 7), folder, folder + "/sub").content(folder + "/sub/x", folder + "/y");
        }
        int all = service.left().size();

        TransferReport report = delete(with -> with);

        assertThat(service.left()).isEmpty();
        assertThat(report.deleted()).isEqualTo(all);
    }

    @Test
    @DisplayName("WORLD-1: a folder in which something stays is skipped with the reason, in a dry run too")
    void occupied() {
        service.folders("d/a", "d/b", "d/b/c").content("d/a/keep", "d/a/go", "d/b/c/go");

        TransferReport dry = delete(with -> with.exclude("a/keep").dryRun());
        assertSkipped("a", "photos/d/a marks a folder in which something stays");
        TransferReport report = delete(with -> with.exclude("a/keep"));
        assertSkipped("a", "photos/d/a marks a folder in which something stays");

        assertThat(service.left()).containsOnlyKeys("d/a", "d/a/keep");
        assertThat(List.of(dry, report)).extracting(TransferReport::deleted).containsOnly(4L);
        assertThat(List.of(dry, report)).extracting(TransferReport::skipped).containsOnly(1L);
    }

    @Test
    @DisplayName("WORLD-1: a folder that another program fills is skipped with the refusal of the service")
    void filled() {
        service.folders("d/a");
        blobs.respond(requested -> {
            if (requested.is("DELETE", "")) {
                service.content("d/a/new");
            }
            return service.apply(requested);
        });

        TransferReport report = delete(with -> with);

        assertThat(report.skipped()).isOne();
        assertSkipped("a", "DirectoryIsNotEmpty");
    }

    @Test
    @DisplayName("WORLD-1: a blob with snapshots or a lease is skipped with the reason, in a dry run as without")
    void snapshots() {
        service.content("d/a", "d/b")
                .put("d/kept", Listed.content(1).withSnapshot().withSnapshot())
                .put("d/leased", Listed.content(1).with("LeaseStatus", "locked"));

        TransferReport dry = delete(with -> with.dryRun());
        assertSkipped("kept", "has snapshots: deleteSnapshots() deletes them too");
        assertSkipped("leased", "has a lease");
        TransferReport report = delete(with -> with);
        assertSkipped("kept", "SnapshotsPresent");
        assertSkipped("leased", "has a lease");

        assertThat(service.left()).containsOnlyKeys("d/kept", "d/leased");
        assertThat(List.of(dry, report)).allSatisfy(one -> {
            assertThat(one.deleted()).isEqualTo(2);
            assertThat(one.skipped()).isEqualTo(2);
        });
    }

    @Test
    @DisplayName(
            "WORLD-1: with deleteSnapshots() the snapshots go with their blob, in a deletion, a mirror and deleteAll")
    void withSnapshots(@TempDir Path folder) {
        Runnable fill = () -> IntStream.range(0, 300)
                .forEach(i -> service.put("d/" + i, Listed.content(1).withSnapshot()));
        fill.run();
        assertThat(delete(with -> with.deleteSnapshots().dryRun()).deleted()).isEqualTo(300);
        assertThat(delete(with -> with.deleteSnapshots()).deleted()).isEqualTo(300);

        fill.run();
        UnaryOperator<DirectorySettings.Builder> mirror = with -> with.mirror();
        TransferReport dry = photos.uploadDirectory(
                        folder, "d", with -> mirror.apply(with).dryRun())
                .join();
        TransferReport kept = photos.uploadDirectory(folder, "d", mirror).join();
        assertThat(List.of(dry, kept)).extracting(TransferReport::skipped).containsOnly(300L);
        assertThat(photos.uploadDirectory(
                                folder, "d", with -> mirror.apply(with).deleteSnapshots())
                        .join()
                        .deleted())
                .isEqualTo(300);

        fill.run();
        List<String> names = IntStream.range(0, 300).mapToObj(i -> "d/" + i).toList();
        assertThat(photos.deleteAll(names)).allMatch(end -> end.action() == Action.FAILED);
        assertThat(photos.deleteAllWithSnapshots(names)).allMatch(end -> end.action() == Action.DELETED);
        fill.run();
        assertThat(photos.reactive().deleteAllWithSnapshots(names.subList(0, 1)).block())
                .allMatch(end -> end.action() == Action.DELETED);
    }

    @Test
    @DisplayName("WORLD-1: deleteAll of a listing deletes folders behind what lies in them")
    void allOfAListing() {
        service.folders("a", "a/b", "a/b/c", "full").content("a/1", "a/b/2", "a/b/c/3", "full/4");
        List<String> names = service.left().keySet().stream()
                .filter(name -> !name.equals("full/4"))
                .toList();

        List<Item> ends = photos.deleteAll(names);

        assertThat(ends).extracting(Item::name).isEqualTo(names);
        assertThat(ends.stream().filter(end -> end.action() == Action.DELETED)).hasSize(6);
        assertThat(ends.get(names.indexOf("full")).error()).hasMessageContaining("DirectoryIsNotEmpty");
        assertThat(service.left()).containsOnlyKeys("full", "full/4");
    }

    @Test
    @DisplayName("the report of a deletion that fails counts what its group has deleted")
    void countsBesideAFailure() {
        service.content("d/0", "d/1", "d/2");
        blobs.respond(requested -> requested.is("POST", "batch")
                ? BlobStubResponse.of(202)
                        .with("Content-Type", "multipart/mixed; boundary=answer")
                        .body((part(0, "403 x\r\nx-ms-error-code: AuthorizationPermissionMismatch") + part(1, "202 x")
                                        + part(2, "202 x") + "--answer--\r\n")
                                .getBytes(StandardCharsets.UTF_8))
                : service.apply(requested));

        TransferFailedException end = catchThrowableOfType(TransferFailedException.class, () -> delete(with -> with));

        assertThat(end.report().deleted()).isEqualTo(2);
        assertThat(end.report().failed()).isOne();
        assertThat(end.report().cancelled()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("TRANSFER-4: a blob that was deleted by itself is no blob in flight for the cancellation of its group")
    void deletedBeforeACancellation(boolean mirror, @TempDir Path folder) {
        IntStream.range(10, 27).forEach(i -> service.content("d/" + i));
        CountDownLatch last = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch heard = new CountDownLatch(17);
        blobs.respond(requested -> {
            if (requested.is("DELETE", "") && requested.path().matches(".*(11|12|26)")) {
                // The request that makes up for the end of the first one.
                if (requested.path().endsWith("26")) {
                    last.countDown();
                }
                StubBlobs.await(goOn);
            }
            return requested.is("POST", "batch")
                    ? BlobStubResponse.refusal(501, "NotImplemented")
                    : service.apply(requested);
        });
        UnaryOperator<DirectorySettings.Builder> listening = with -> with.eachItem(item -> {
            items.put(item.name(), item);
            heard.countDown();
        });
        Transfer transfer = mirror
                ? photos.uploadDirectory(
                        folder, "d", with -> listening.apply(with).mirror())
                : photos.deleteDirectory("d", listening);
        StubBlobs.await(last);

        transfer.cancel();

        TransferReport report = catchThrowableOfType(TransferFailedException.class, transfer::join)
                .report();
        StubBlobs.await(heard);
        goOn.countDown();
        assertThat(items.get("10").action()).isEqualTo(Action.DELETED);
        assertThat(List.of("11", "12", "26"))
                .allSatisfy(name -> assertThat(items.get(name).action()).isEqualTo(Action.CANCELLED));
        assertThat(items.values().stream().filter(item -> item.action() == Action.DELETED))
                .hasSize((int) report.deleted());
        assertThat(report.deleted() + report.cancelled()).isEqualTo(17);
    }

    private static String part(int id, String status) {
        return "--answer\r\nContent-Type: application/http\r\nContent-ID: " + id + "\r\n\r\nHTTP/1.1 " + status
                + "\r\nContent-Length: 0\r\n\r\n";
    }
}
