package io.stowline.examples.checkup;

import io.stowline.advisor.AdviceReport;
import io.stowline.advisor.Advisor;
import io.stowline.advisor.Threshold;
import java.time.Duration;

/** The evening of a race office, which the careless program and the careful one do: results, mails, photos and a log. */
interface RaceOffice {

    /** The number of readings of the clocks. */
    int READINGS = 120;

    /** The number of runners. */
    int FINISHERS = 1_044;

    /** The number of results that are corrected. */
    int CORRECTIONS = 20;

    /** The number of runners who look their result up. */
    int VISITORS = 24;

    /** The number of reads of one result, and of the plan of the course. */
    int VIEWS = 120;

    /** The number of mails to runners. */
    int MAILS = 24;

    /** The number of photos, and of lines of the log. */
    int PHOTOS = 40;

    /** The number of photos for the archive. */
    int ARCHIVED = 6;

    /**
     * Does the work of the evening.
     *
     * @return the report on it, made while its client is open
     * @throws InterruptedException if the thread is interrupted
     */
    AdviceReport work() throws InterruptedException;

    /**
     * Makes an advisor with thresholds for an emulator on a small machine. Those that are no rates are the defaults, but for the time of
     * small reads, which shows the load of such a machine, and the body of a blob, which would take minutes.
     *
     * @return the advisor; close it
     */
    static Advisor advisor() {
        return Advisor.of(a -> a.window(Duration.ofSeconds(90))
                .minSamples(20)
                .threshold(Threshold.KEY_ORDER_RATE, 0.2)
                .threshold(Threshold.WRITE_RATE, 0.5)
                .threshold(Threshold.PARTITION_ENTITIES, 40)
                .threshold(Threshold.SMALL_UPLOADS, 0.2)
                .threshold(Threshold.HOT_READS, 0.5)
                .threshold(Threshold.BLOB_REQUESTS, 0.5)
                .threshold(Threshold.BLOB_BODY, 12 << 20)
                .threshold(Threshold.POLL_RATE, 0.2)
                .threshold(Threshold.ROUND_TRIP, 5_000));
    }
}
