package io.stowline.system.recordings;

import io.stowline.blob.PageBlob;
import io.stowline.blob.PageRange;
import io.stowline.outcome.WriteResult;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Verbs of page blobs that can meet the recorded responses of the blob service. */
final class PageReplays {

    private static final String COPY_SOURCE = "x-ms-copy-source";
    private static final int PAGE = 512;

    private PageReplays() {}

    /** Replays the creation of a page blob. */
    static ReplayPlan create(ServiceRecording recording, String container, String name) {
        String size = recording.request().value("x-ms-blob-content-length", "512");
        long bytes = Long.parseLong(size) / PAGE * PAGE;
        ReplayPlan plan =
                ReplayPlan.of(ContainerReplays.bare(recording, "pageBlob.create", container, c -> c.pageBlob(name)
                                .create(bytes))
                        .checking(requests -> Long.toString(bytes)
                                        .equals(requests.get(0).headers().value("x-ms-blob-content-length"))
                                ? null
                                : "the creation names another size: " + requests));
        return recording.isError()
                ? plan
                : plan.and(ContainerReplays.valued(
                        recording,
                        "pageBlob.createIfMissing",
                        container,
                        c -> c.pageBlob(name).createIfMissing(bytes),
                        true));
    }

    /** Replays a write or a clear. */
    static ReplayPlan write(ServiceRecording recording, String container, String name) {
        if (recording.request().contains(COPY_SOURCE) || recording.status() == 304) {
            return ReplayPlan.refused("blobs: no verb stages or appends from another address");
        }
        boolean clear = recording.request().value("x-ms-page-write", "update").equals("clear");
        byte[] content = recording.requestBody();
        byte[] bytes = content.length == 0 || content.length % PAGE != 0 ? new byte[PAGE] : content;
        WriteResult expected = recording.isError() ? null : WriteResult.confirmed(recording.header("ETag"), false);
        Replay replay = BlobReplays.either(
                        recording,
                        clear ? "pageBlob.clear" : "pageBlob.write",
                        container,
                        c -> {
                            PageBlob blob = c.pageBlob(name);
                            return clear ? blob.clear(PAGE, PAGE) : blob.write(PAGE, bytes);
                        },
                        expected)
                .checking(requests -> requests.get(0)
                                .headers()
                                .value("x-ms-range", "")
                                .equals("bytes=512-" + (PAGE + (clear ? PAGE : bytes.length) - 1))
                        ? null
                        : "the request names another range: " + requests);
        return ReplayPlan.of(replay);
    }

    /** Replays a list of ranges in use; what a comparison with a snapshot shows as cleared is not in use. */
    static ReplayPlan ranges(ServiceRecording recording, String container, String name) {
        @Nullable
        List<PageRange> expected = recording.isError()
                ? null
                : XmlTree.of(recording.response().body()).children("PageRange").stream()
                        .map(range -> {
                            long start = Long.parseLong(range.text("Start"));
                            return new PageRange(start, Long.parseLong(range.text("End")) + 1 - start);
                        })
                        .toList();
        return ReplayPlan.of(BlobReplays.either(
                recording,
                "pageBlob.ranges",
                container,
                c -> {
                    try (Stream<PageRange> ranges = c.pageBlob(name).ranges()) {
                        return ranges.toList();
                    }
                },
                expected));
    }

    /** Replays a change of the size or of the sequence number. */
    static ReplayPlan properties(ServiceRecording recording, String container, String name) {
        WriteResult expected = recording.isError() ? null : WriteResult.confirmed(recording.header("ETag"), false);
        return ReplayPlan.of(
                recording.request().contains("x-ms-blob-content-length")
                        ? BlobReplays.either(
                                recording,
                                "pageBlob.resize",
                                container,
                                c -> c.pageBlob(name).resize(1024),
                                expected)
                        : BlobReplays.either(
                                recording,
                                "pageBlob.setSequenceNumber",
                                container,
                                c -> c.pageBlob(name).setSequenceNumber(7),
                                expected));
    }
}
