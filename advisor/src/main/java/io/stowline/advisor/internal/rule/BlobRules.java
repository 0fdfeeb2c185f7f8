package io.stowline.advisor.internal.rule;

import static io.stowline.advisor.Severity.ADVICE;

import io.stowline.advisor.Threshold;
import io.stowline.advisor.internal.evidence.Hitter;
import io.stowline.advisor.internal.evidence.Snapshot;
import io.stowline.advisor.internal.evidence.Tally;
import java.util.List;

/** The rules of practices that concern blobs. */
final class BlobRules {

    private static final double NANOS_PER_SECOND = 1_000_000_000;

    /** A quieter stretch is no bulk transfer. */
    private static final double BUSY = 0.7;

    private static final Hitter NO_BLOB = new Hitter("", -1, 0, 0, 0, 0, 0, 0);

    private BlobRules() {}

    private static Hitter busiest(Snapshot traffic) {
        List<Hitter> blobs = traffic.blobs();
        return blobs.isEmpty() ? NO_BLOB : blobs.get(0);
    }

    private static String named(Snapshot traffic, Hitter blob) {
        return Judgement.text(
                "blob %s of %s: %,.0f requests/s, %,.0f bytes/s",
                blob.name(), traffic.container(blob), blob.peak(), blob.bytesPeak());
    }

    /** Judges B1. */
    static Judgement readers(Snapshot traffic, Levels levels) {
        Hitter blob = busiest(traffic);
        return levels.judge(blob.attempts())
                .object(named(traffic, blob))
                .overBoth(
                        Threshold.HOT_READS,
                        "requests of the busiest blob",
                        blob.peak(),
                        Threshold.UNCHANGED_READS,
                        "reads whose ETag an earlier read had",
                        traffic.share(Tally.UNCHANGED_READS, Tally.READS, 100),
                        ADVICE,
                        "This client alone reads one blob again and again, and it has not changed.")
                .build("No blob is read again and again by this client.");
    }

    /** Judges B2. */
    static Judgement limits(Snapshot traffic, Levels levels) {
        Hitter blob = busiest(traffic);
        double refused = blob.attempts() == 0 ? 0 : 1_000.0 * blob.throttled() / blob.attempts();
        Judgement.Builder judgement = levels.judge(blob.attempts());
        traffic.blobs().stream().limit(3).forEach(one -> judgement.object(named(traffic, one)));
        return AccountRules.throttled(judgement, blob.throttled(), refused, "one blob")
                .over(
                        Threshold.BLOB_REQUESTS,
                        "requests of the busiest blob",
                        blob.peak(),
                        ADVICE,
                        "One blob gets more than 60 % of the requests that a blob is made for.")
                .over(
                        Threshold.BLOB_BYTES,
                        "bytes of the busiest blob",
                        blob.bytesPeak(),
                        ADVICE,
                        "One blob moves more than 60 % of the bytes that a blob is made for.")
                .build("Each blob is far below its limits.");
    }

    /** Judges B3. */
    static Judgement copies(Snapshot traffic, Levels levels) {
        return levels.judge(traffic.count(Tally.BLOBS_WRITTEN))
                .over(
                        Threshold.COPIED_BY_HAND,
                        "blobs that were downloaded from another container before",
                        traffic.share(Tally.COPIED_BLOBS, Tally.BLOBS_WRITTEN, 100),
                        ADVICE,
                        "Blobs are downloaded and uploaded under their name into another container.")
                .build("Uploads are new content.");
    }

    /** Judges B4 and B8: requests one after the other never overlap, and fill the time. */
    static PracticeRule transfers(Tally requests, Tally nanos, Tally overlaps, String direction) {
        return (traffic, levels) -> {
            double inFlight = traffic.count(nanos) / NANOS_PER_SECOND / traffic.seconds();
            return levels.judge(traffic.count(requests))
                    .figure("requests in flight", inFlight, "")
                    .under(
                            Threshold.TRANSFER_OVERLAP,
                            "requests that overlap the one before",
                            traffic.share(overlaps, requests, 100),
                            inFlight >= BUSY,
                            ADVICE,
                            Judgement.text("%s of blobs run one after the other.", direction))
                    .build("Requests overlap, or there is no bulk transfer.");
        };
    }

    /** Judges B5. */
    static Judgement volume(Snapshot traffic, Levels levels) {
        return levels.judge(traffic.count(Tally.UPLOADS) + traffic.count(Tally.DOWNLOADS), 1)
                .over(
                        Threshold.SHIPPED_BYTES,
                        "content of blobs since the start",
                        traffic.shippedBytes(),
                        ADVICE,
                        "The process has moved more than a terabyte.")
                .build("The volume fits a line.");
    }

    /** Judges B7. */
    static Judgement blocks(Snapshot traffic, Levels levels) {
        return levels.judge(traffic.count(Tally.UPLOADS), 1)
                .over(
                        Threshold.BLOB_BODY,
                        "largest body of one request",
                        traffic.largestBlobBody(),
                        ADVICE,
                        "Large content goes in one request, over one connection, and starts again after an error.")
                .build("Large blobs go in blocks.");
    }

    /** Judges B10. */
    static Judgement blockSizes(Snapshot traffic, Levels levels) {
        return levels.judge(traffic.count(Tally.BLOCKS))
                .over(
                        Threshold.SHORT_BLOCKS,
                        "blocks of at most 4 MiB",
                        traffic.share(Tally.SHORT_BLOCKS, Tally.BLOCKS, 100),
                        ADVICE,
                        "Blocks are too short for the high-throughput path.")
                .build("Blocks reach the high-throughput path.");
    }
}
