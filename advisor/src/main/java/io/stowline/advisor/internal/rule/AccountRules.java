package io.stowline.advisor.internal.rule;

import static io.stowline.advisor.Severity.ADVICE;
import static io.stowline.advisor.Severity.WARNING;

import io.stowline.advisor.Threshold;
import io.stowline.advisor.internal.evidence.ContainerTally;
import io.stowline.advisor.internal.evidence.ContainerTraffic;
import io.stowline.advisor.internal.evidence.Hitter;
import io.stowline.advisor.internal.evidence.ServiceFacts;
import io.stowline.advisor.internal.evidence.Snapshot;
import io.stowline.advisor.internal.evidence.Tally;
import java.util.Comparator;
import java.util.List;

/** The rules of practices that concern all services. */
final class AccountRules {

    /** Fewer keys above all others may be chance. */
    private static final int MIN_MOVES = 3;

    /** The slowest hundredth of fewer samples is one event or two. */
    private static final long SAMPLES_OF_HUNDREDTH = 10;

    private static final double NANOS_PER_MILLI = 1_000_000;

    private AccountRules() {}

    /** Judges A1. */
    static Judgement targets(Snapshot traffic, Levels levels) {
        List<Hitter> accounts = traffic.accounts();
        long attempts = traffic.count(Tally.ATTEMPTS);
        long throttled = RefusedPartition.of(traffic, levels)
                .others(traffic.count(Tally.ACCOUNT_THROTTLED), traffic.count(Tally.THROTTLED));
        double peak = accounts.isEmpty() ? 0 : accounts.get(0).peak();
        Judgement.Builder judgement = levels.judge(attempts);
        accounts.stream()
                .limit(3)
                .forEach(account -> judgement.object(Judgement.text(
                        "account %s: %,.0f entities, messages and blobs/s", account.name(), account.peak())));
        return throttled(judgement, throttled, attempts == 0 ? 0 : 1_000.0 * throttled / attempts, "the account")
                .over(
                        Threshold.ACCOUNT_ENTITIES,
                        "entities, messages and blobs of the busiest account",
                        peak,
                        ADVICE,
                        "One account serves more than 60 % of what an account is made for.")
                .build("The load is far below the target of an account.");
    }

    static Judgement.Builder throttled(Judgement.Builder judgement, long number, double perThousand, String place) {
        return judgement
                .events(number)
                .over(
                        Threshold.THROTTLED,
                        "attempts refused for load",
                        perThousand,
                        ADVICE,
                        "The service refuses attempts for the load of " + place + '.')
                .over(
                        Threshold.THROTTLED_OFTEN,
                        "attempts refused for load",
                        perThousand,
                        WARNING,
                        "The service often refuses attempts for the load of " + place + '.')
                .always();
    }

    /** Judges A2 for names of blobs, T5 for partition keys. */
    static PracticeRule keyOrder(String service, String keys) {
        return (traffic, levels) -> {
            ContainerTraffic worst = traffic.containers(service).stream()
                    .filter(one -> one.count(ContainerTally.WRITES) > 0)
                    .max(Comparator.comparingDouble(one -> Math.min(
                            order(one) / levels.of(Threshold.KEY_ORDER),
                            rate(one, traffic) / levels.of(Threshold.KEY_ORDER_RATE))))
                    .orElse(null);
            if (worst == null) {
                return levels.judge(0).build("");
            }
            boolean rising = worst.count(ContainerTally.RISES) >= worst.count(ContainerTally.FALLS);
            String way = rising ? "end" : "beginning";
            return levels.judge(worst.count(ContainerTally.WRITES))
                    .object(service.equals("table") ? "table " + worst.name() : "container " + worst.name())
                    .overBoth(
                            Threshold.KEY_ORDER,
                            "writes at the " + way + " of the range of keys",
                            order(worst),
                            Threshold.KEY_ORDER_RATE,
                            "writes of " + service,
                            rate(worst, traffic),
                            WARNING,
                            Judgement.text(
                                    "%.0f %% of %,.0f writes/s hit the %s of the range, so that one server takes them"
                                            + " all: the %s %s.",
                                    order(worst), rate(worst, traffic), way, keys, rising ? "rise" : "fall"))
                    .build("Writes spread over the range of " + keys + ", or are few.");
        };
    }

    private static double order(ContainerTraffic one) {
        long rises = one.count(ContainerTally.RISES);
        long falls = one.count(ContainerTally.FALLS);
        if (Math.max(rises, falls) < MIN_MOVES) {
            return 0;
        }
        return one.percent(rises >= falls ? ContainerTally.AT_END : ContainerTally.AT_START, ContainerTally.WRITES);
    }

    static double rate(ContainerTraffic one, Snapshot traffic) {
        return one.count(ContainerTally.WRITES) / traffic.seconds();
    }

    /** Judges A3. */
    static Judgement bandwidth(Snapshot traffic, Levels levels) {
        return levels.judge(traffic.count(Tally.ATTEMPTS))
                .figure("bytes sent", traffic.perSecond(Tally.BYTES_SENT), "bytes/s")
                .figure("bytes received", traffic.perSecond(Tally.BYTES_RECEIVED), "bytes/s")
                .over(
                        Threshold.LINE_BYTES,
                        "bytes both ways in the quietest tenth of the window",
                        traffic.sustained(Tally.BYTES_SENT, Tally.BYTES_RECEIVED),
                        ADVICE,
                        "The client fills the line of a small instance for a whole window.")
                .build("The line had room in this window.");
    }

    /** Judges A4. */
    static Judgement link(Snapshot traffic, Levels levels) {
        double errors = traffic.share(Tally.UNANSWERED, Tally.ATTEMPTS, 1_000);
        String name = "attempts without a readable response";
        return levels.judge(traffic.count(Tally.ATTEMPTS))
                .events(traffic.count(Tally.UNANSWERED))
                .over(Threshold.CONNECTION_ERRORS, name, errors, ADVICE, "Connections break or responses are lost.")
                .over(
                        Threshold.CONNECTION_ERRORS_OFTEN,
                        name,
                        errors,
                        WARNING,
                        "Connections often break or responses are often lost.")
                .build("Responses arrive.");
    }

    /** Judges A5. */
    static Judgement place(Snapshot traffic, Levels levels) {
        return levels.judge(traffic.roundTrips())
                .figure("half of the connections opened within", traffic.connect(0.5) / NANOS_PER_MILLI, "ms")
                .figure("half of the small reads ended within", traffic.roundTrip(0.5) / NANOS_PER_MILLI, "ms")
                .figure("99 of 100 small reads ended within", traffic.roundTrip(0.99) / NANOS_PER_MILLI, "ms")
                .over(
                        Threshold.ROUND_TRIP,
                        "the fastest tenth of small reads took up to",
                        traffic.roundTrip(0.1) / NANOS_PER_MILLI,
                        ADVICE,
                        "Even the fastest reads take the time of a way to another region.")
                .build("The account is near.");
    }

    /** Judges A8. */
    static Judgement unchanged(Snapshot traffic, Levels levels) {
        return levels.judge(traffic.count(Tally.READS))
                .figure("unchanged content fetched", traffic.count(Tally.UNCHANGED_BYTES), "bytes")
                .over(
                        Threshold.UNCHANGED_READS,
                        "reads whose ETag an earlier read had",
                        traffic.share(Tally.UNCHANGED_READS, Tally.READS, 100),
                        ADVICE,
                        "Reads fetch entities or blobs that have not changed since this client last read them.")
                .build("Reads mostly fetch what is new.");
    }

    /** Judges A9. */
    static Judgement aggregation(Snapshot traffic, Levels levels) {
        return levels.judge(traffic.count(Tally.BLOBS_WRITTEN))
                .over(
                        Threshold.SMALL_UPLOADS,
                        "uploads of at most 16 KiB",
                        traffic.perSecond(Tally.SMALL_BLOBS),
                        ADVICE,
                        "Many small blobs are uploaded one by one.")
                .build("Uploads are large, or few.");
    }

    /** Judges A13. */
    static Judgement parallelism(Snapshot traffic, Levels levels) {
        Judgement.Builder judgement = levels.judge(
                traffic.permits(), SAMPLES_OF_HUNDREDTH * levels.settings().minSamples());
        for (ServiceFacts one : traffic.clients().services()) {
            judgement.fact(
                    "permits of " + one.service(),
                    one.permitLimit() + " of at most " + one.info().maxParallelism());
        }
        return judgement
                .figure("attempts that were not sent", traffic.count(Tally.HELD_BACK), "attempts")
                .over(
                        Threshold.PERMIT_WAIT,
                        "the slowest hundredth waited for a permit at least",
                        traffic.permit(0.99) / NANOS_PER_MILLI,
                        ADVICE,
                        "Operations wait in the client before they are sent.")
                .build("Permits suffice.");
    }

    /** Judges A15. */
    static Judgement backoff(Snapshot traffic, Levels levels) {
        Judgement.Builder judgement = levels.judge(traffic.count(Tally.ATTEMPTS));
        for (ServiceFacts one : traffic.clients().services()) {
            boolean grows = one.info().retry().retries() > 0
                    && !one.info().retry().backoff().isNone()
                    && one.info()
                                    .retry()
                                    .backoff()
                                    .max(2)
                                    .compareTo(one.info().retry().backoff().max(1))
                            > 0;
            judgement
                    .fact("back-off of " + one.service(), one.info().retry().backoff())
                    .raise(!grows, ADVICE, "Retries are off, or come at a fixed pace at which many clients collide.");
        }
        return judgement
                .events(traffic.count(Tally.FAILURES))
                .over(
                        Threshold.RETRY_TIME,
                        "time of attempts that failed",
                        traffic.share(Tally.FAILED_NANOS, Tally.NANOS, 100),
                        ADVICE,
                        "Much of the time goes into attempts that have to be repeated.")
                .build(
                        traffic.clients().onlySdk()
                                ? "Attempts that fail take little time. Clients of the Azure SDK do not show their"
                                        + " back-off."
                                : "Retries back off exponentially, and take little time.");
    }

    /** Judges A16. */
    static Judgement refusals(Snapshot traffic, Levels levels) {
        double skew = traffic.clients().services().stream()
                .mapToDouble(one -> Math.abs(one.clockSkew().toMillis()) / 1_000.0)
                .max()
                .orElse(0);
        return levels.judge(traffic.count(Tally.ATTEMPTS))
                .events(traffic.count(Tally.REFUSED))
                .over(
                        Threshold.REFUSED,
                        "attempts that no retry helps",
                        traffic.share(Tally.REFUSED, Tally.ATTEMPTS, 1_000),
                        ADVICE,
                        "The service refuses requests for their content or their access; the client does not repeat"
                                + " them, the application does.")
                .always()
                .over(
                        Threshold.CLOCK_SKEW,
                        "difference of the clocks",
                        skew,
                        WARNING,
                        "The clock of this machine is wrong: signatures are refused, and conditions by time misjudge.")
                .build("What cannot succeed is not repeated.");
    }
}
