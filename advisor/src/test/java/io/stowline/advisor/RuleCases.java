package io.stowline.advisor;

import static io.stowline.advisor.FakeAttempt.download;
import static io.stowline.advisor.FakeAttempt.find;
import static io.stowline.advisor.FakeAttempt.insert;
import static io.stowline.advisor.FakeAttempt.receive;
import static io.stowline.advisor.FakeAttempt.send;
import static io.stowline.advisor.FakeAttempt.transaction;
import static io.stowline.advisor.FakeAttempt.upload;
import static io.stowline.advisor.Severity.ADVICE;
import static io.stowline.advisor.Severity.WARNING;

import io.stowline.observe.AttemptReason;
import io.stowline.observe.ConsumerEvent;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** The workloads that put each threshold to the proof. */
final class RuleCases {

    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

    /** Nearly a window of ten minutes. */
    private static final double LONG = 480;

    private RuleCases() {}

    /** Returns whether event number i is one of the share, in percent, spread evenly. */
    private static boolean hits(int i, double percent) {
        return Math.floor((i + 1) * percent / 100) > Math.floor(i * percent / 100);
    }

    /** Returns the whole number of event number i, of which the mean is a value. */
    private static int step(int i, double mean) {
        return (int) (Math.floor((i + 1) * mean) - Math.floor(i * mean));
    }

    private static RuleCase perThousand(
            Practice practice,
            Threshold threshold,
            double edge,
            Severity severity,
            IntFunction<FakeAttempt> good,
            IntFunction<FakeAttempt> bad) {
        return RuleCase.over(
                practice,
                threshold,
                edge,
                severity,
                (t, value) -> t.run(50, 200, i -> t.add(hits(i, value / 10) ? bad.apply(i) : good.apply(i))));
    }

    private static FakeAttempt lost(FakeAttempt attempt) {
        return attempt.ending(AttemptReason.CONNECTION, 0, null);
    }

    private static FakeAttempt accountThrottled(FakeAttempt attempt) {
        return attempt.ending(AttemptReason.THROTTLED_ACCOUNT, 503, "ServerBusy");
    }

    private static FakeAttempt refused(FakeAttempt attempt) {
        return attempt.ending(AttemptReason.REFUSED, 400, "InvalidInput");
    }

    /** Writes a thousand entities, so that a page may have scanned as many. */
    private static void fill(FakeTraffic traffic) {
        for (int i = 0; i < 10; i++) {
            traffic.add(transaction("p" + i, 100));
        }
    }

    private static FakeAttempt row(int i) {
        return insert("p" + i % 500, "r" + i);
    }

    /** A key of which each is higher than all before, or one in between. */
    private static String key(int i, double risingPercent, SplittableRandom random) {
        return hits(i, risingPercent) ? String.format("x%08d", i) : String.format("m%08d", random.nextInt(100_000_000));
    }

    static Stream<RuleCase> all() {
        return Stream.of(ofAccounts(), ofBlobs(), ofTables(), ofQueries(), ofQueues())
                .flatMap(cases -> cases);
    }

    private static Stream<RuleCase> ofAccounts() {
        return Stream.of(
                RuleCase.over(
                        Practice.A1,
                        Threshold.ACCOUNT_ENTITIES,
                        12_000,
                        ADVICE,
                        (t, value) -> t.run(50, value / 100, i -> t.add(transaction("p" + i % 500, 100)))),
                perThousand(Practice.A1, Threshold.THROTTLED, 1, ADVICE, RuleCases::row, i -> accountThrottled(row(i))),
                perThousand(
                        Practice.A1,
                        Threshold.THROTTLED_OFTEN,
                        10,
                        WARNING,
                        RuleCases::row,
                        i -> accountThrottled(row(i))),
                RuleCase.over(Practice.A2, Threshold.KEY_ORDER, 80, WARNING, (t, value) -> {
                    SplittableRandom random = new SplittableRandom(1);
                    t.run(50, 600, i -> t.add(upload(key(i, value, random), 50_000)));
                }),
                RuleCase.over(Practice.A2, Threshold.KEY_ORDER_RATE, 500, WARNING, (t, value) -> {
                    SplittableRandom random = new SplittableRandom(1);
                    t.run(50, value, i -> t.add(upload(key(i, 95, random), 50_000)));
                }),
                RuleCase.over(
                        Practice.A3,
                        Threshold.LINE_BYTES,
                        10_000_000,
                        ADVICE,
                        (t, value) -> t.run(58, 100, i -> t.add(upload("b" + i, Math.round(value / 100))))),
                perThousand(Practice.A4, Threshold.CONNECTION_ERRORS, 1, ADVICE, RuleCases::row, i -> lost(row(i))),
                perThousand(
                        Practice.A4, Threshold.CONNECTION_ERRORS_OFTEN, 10, WARNING, RuleCases::row, i -> lost(row(i))),
                RuleCase.over(
                        Practice.A5,
                        Threshold.ROUND_TRIP,
                        20,
                        ADVICE,
                        (t, value) -> t.run(
                                50, 20, i -> t.add(find("p" + i, "r", null).taking(value)))),
                RuleCase.over(
                        Practice.A8,
                        Threshold.UNCHANGED_READS,
                        50,
                        ADVICE,
                        (t, value) -> t.run(
                                50,
                                20,
                                i -> t.add(
                                        hits(i, value)
                                                ? find("key-hot", "r", "same")
                                                : find("p" + i, "r", "e" + i + t.millis())))),
                RuleCase.over(
                        Practice.A9,
                        Threshold.SMALL_UPLOADS,
                        10,
                        ADVICE,
                        (t, value) -> t.run(50, value, i -> t.add(upload("b" + i, 1_000)))),
                RuleCase.over(
                        Practice.A13,
                        Threshold.PERMIT_WAIT,
                        50,
                        ADVICE,
                        (t, value) -> t.run(50, 20, i -> t.add(row(i).waiting(value)))),
                RuleCase.over(
                        Practice.A15,
                        Threshold.RETRY_TIME,
                        20,
                        ADVICE,
                        (t, value) -> t.run(
                                50,
                                20,
                                i -> t.add(
                                        hits(i, value)
                                                ? row(i).ending(AttemptReason.SERVER_ERROR, 500, "InternalError")
                                                : row(i)))),
                perThousand(Practice.A16, Threshold.REFUSED, 10, ADVICE, RuleCases::row, i -> refused(row(i))));
    }

    private static Stream<RuleCase> ofBlobs() {
        return Stream.of(
                RuleCase.over(
                        Practice.B1,
                        Threshold.HOT_READS,
                        100,
                        ADVICE,
                        (t, value) -> t.run(50, value, i -> t.add(download("model.bin", "same")))),
                RuleCase.over(
                        Practice.B1,
                        Threshold.UNCHANGED_READS,
                        50,
                        ADVICE,
                        (t, value) -> t.run(
                                50, 150, i -> t.add(download("model.bin", i % 100 < value + 1 ? "same" : "e" + i)))),
                RuleCase.over(
                        Practice.B2,
                        Threshold.BLOB_REQUESTS,
                        300,
                        ADVICE,
                        (t, value) -> t.run(
                                50,
                                value,
                                i -> t.add(download("model.bin", "e" + i).reading(1_000)))),
                RuleCase.over(
                        Practice.B2,
                        Threshold.BLOB_BYTES,
                        36_000_000,
                        ADVICE,
                        (t, value) -> t.run(
                                50,
                                10,
                                i -> t.add(download("model.bin", "e" + i).reading(Math.round(value / 10))))),
                perThousand(
                        Practice.B2, Threshold.THROTTLED, 1, ADVICE, i -> download("a", "e"), i -> download("a", "e")
                                .throttled()),
                perThousand(Practice.B2, Threshold.THROTTLED_OFTEN, 10, WARNING, i -> download("a", "e"), i -> download(
                                "a", "e")
                        .throttled()),
                RuleCase.over(
                        Practice.B3,
                        Threshold.COPIED_BY_HAND,
                        5,
                        ADVICE,
                        (t, value) -> t.run(50, 20, i -> {
                            if (hits(i, value)) {
                                t.add(download("b" + i, "e").in("archive"));
                            }
                            t.add(upload("b" + i, 100_000));
                        })),
                RuleCase.under(
                        Practice.B4,
                        Threshold.TRANSFER_OVERLAP,
                        10,
                        ADVICE,
                        (t, value) ->
                                t.run(50, 10, i -> t.add(download("b" + i, "e").taking(hits(i, value) ? 150 : 100)))),
                RuleCase.under(
                        Practice.B8,
                        Threshold.TRANSFER_OVERLAP,
                        10,
                        ADVICE,
                        (t, value) -> t.run(
                                50, 10, i -> t.add(upload("b" + i, 100_000).taking(hits(i, value) ? 150 : 100)))),
                RuleCase.over(
                        Practice.B5,
                        Threshold.SHIPPED_BYTES,
                        1e12,
                        ADVICE,
                        (t, value) -> t.add(upload("disk.vhd", Math.round(value)))),
                RuleCase.over(
                        Practice.B7,
                        Threshold.BLOB_BODY,
                        67_108_864,
                        ADVICE,
                        (t, value) -> t.add(upload("disk.vhd", Math.round(value)))),
                RuleCase.over(Practice.B10, Threshold.SHORT_BLOCKS, 50, ADVICE, (t, value) -> {
                    t.add(upload("short", 4 << 20));
                    t.add(upload("long", (4 << 20) + 1));
                    t.run(
                            50,
                            20,
                            i -> t.add(hits(i, value) ? upload("short", 4 << 20) : upload("long", (4 << 20) + 1)));
                }));
    }

    private static Stream<RuleCase> ofTables() {
        return Stream.of(
                RuleCase.over(
                        Practice.T1,
                        Threshold.ACCOUNT_ENTITIES,
                        12_000,
                        ADVICE,
                        (t, value) -> t.run(50, value / 100, i -> t.add(transaction("p" + i % 500, 100)))),
                perThousand(Practice.T1, Threshold.THROTTLED, 1, ADVICE, RuleCases::row, i -> row(i).throttled()),
                perThousand(
                        Practice.T1, Threshold.THROTTLED_OFTEN, 10, WARNING, RuleCases::row, i -> row(i).throttled()),
                RuleCase.over(Practice.T5, Threshold.KEY_ORDER, 80, WARNING, (t, value) -> {
                    SplittableRandom random = new SplittableRandom(1);
                    t.run(50, 600, i -> t.add(insert(key(i, value, random), "r")));
                }),
                RuleCase.over(Practice.T5, Threshold.KEY_ORDER_RATE, 500, WARNING, (t, value) -> {
                    SplittableRandom random = new SplittableRandom(1);
                    t.run(50, value, i -> t.add(insert(key(i, 95, random), "r")));
                }),
                RuleCase.over(
                        Practice.T6,
                        Threshold.PARTITION_ENTITIES,
                        1_200,
                        ADVICE,
                        (t, value) -> t.run(50, value / 10, i -> t.add(transaction("key-hot", 10)))),
                RuleCase.over(
                        Practice.T6,
                        Threshold.PARTITION_SHARE,
                        50,
                        WARNING,
                        (t, value) -> t.run(
                                50,
                                20,
                                i -> t.add(
                                        i % 5 > 0
                                                ? row(i)
                                                : hits(i / 5, value)
                                                        ? insert("key-hot", "r").throttled()
                                                        : row(i).throttled()))),
                RuleCase.over(
                        Practice.T6,
                        Threshold.THROTTLED_OFTEN,
                        10,
                        WARNING,
                        (t, value) -> t.run(
                                50,
                                200,
                                i -> t.add(
                                        hits(i, value / 10)
                                                ? insert("key-hot", "r").throttled()
                                                : insert("key-hot", "r")))),
                RuleCase.under(
                        Practice.T12,
                        Threshold.TRANSACTION_FILL,
                        10,
                        ADVICE,
                        (t, value) -> t.run(50, 50, i -> t.add(transaction("p" + i % 20, step(i, value))))),
                RuleCase.over(
                        Practice.T12,
                        Threshold.SHARED_WRITES,
                        50,
                        ADVICE,
                        (t, value) -> t.run(
                                50, 200, i -> t.add(hits(i, value) ? insert("p", "r" + i) : insert("p" + i, "r")))),
                RuleCase.over(
                        Practice.T12,
                        Threshold.WRITE_RATE,
                        100,
                        ADVICE,
                        (t, value) -> t.run(50, value, i -> t.add(insert("p", "r" + i)))),
                RuleCase.over(
                        Practice.T13,
                        Threshold.READ_THEN_WRITE,
                        5,
                        ADVICE,
                        (t, value) -> t.run(50, 20, i -> {
                            if (hits(i, value)) {
                                t.add(find("p" + i, "r", "e"));
                            }
                            t.add(insert("p" + i, "r"));
                        })),
                RuleCase.over(
                        Practice.T17,
                        Threshold.NUMERIC_KEYS,
                        80,
                        ADVICE,
                        (t, value) -> t.run(
                                50,
                                20,
                                i -> t.add(insert(
                                        "p", hits(i, value) ? String.valueOf(i + 1) : String.format("r%05d", i))))),
                RuleCase.over(
                        Practice.T18,
                        Threshold.TRANSACTION_TIMEOUTS,
                        1,
                        ADVICE,
                        (t, value) -> t.run(
                                50,
                                200,
                                i -> t.add(
                                        hits(i, value)
                                                ? transaction("p", 10)
                                                        .ending(AttemptReason.SERVER_ERROR, 500, "OperationTimedOut")
                                                : transaction("p", 10)))),
                RuleCase.over(
                        Practice.T20,
                        Threshold.ENTITY_BYTES,
                        629_145,
                        ADVICE,
                        (t, value) -> t.add(insert("p", "r").writing((long) Math.floor(value)))),
                RuleCase.over(
                        Practice.T21,
                        Threshold.ONE_PARTITION,
                        90,
                        ADVICE,
                        (t, value) -> t.run(50, 200, i -> t.add(insert(hits(i, value) ? "p" : "q" + i % 5, "r" + i)))),
                RuleCase.over(Practice.T21, Threshold.ONE_ROW_PARTITIONS, 90, ADVICE, (t, value) -> {
                            t.add(insert("p", "r"));
                            t.run(50, 200, i -> t.add(insert(hits(i, value - 0.3) ? "q" + i : "p", "r" + i)));
                        })
                        .beyond(1.08),
                RuleCase.over(
                        Practice.T12,
                        Threshold.SINGLE_WRITE_TIME,
                        20,
                        ADVICE,
                        (t, value) ->
                                t.run(50, 20, i -> t.add(insert("p", "r" + i).taking(value / 2)))),
                RuleCase.over(
                        Practice.T21,
                        Threshold.SINGLE_WRITE_TIME,
                        20,
                        ADVICE,
                        (t, value) ->
                                t.run(50, 20, i -> t.add(insert("p", "r" + i).taking(value / 2)))),
                RuleCase.over(
                        Practice.T21,
                        Threshold.WRITE_RATE,
                        100,
                        ADVICE,
                        (t, value) -> t.run(50, value, i -> t.add(insert("p", "r" + i)))));
    }

    private static Stream<RuleCase> ofQueries() {
        return Stream.of(
                RuleCase.over(
                                Practice.T7,
                                Threshold.TABLE_SCANS,
                                1,
                                ADVICE,
                                (t, value) -> t.run(LONG, value / 60, i -> {
                                    t.add(row(i));
                                    t.page("table-scan", "age ge ?", 200, 200, false, 2, 2, 100);
                                }))
                        .in(TEN_MINUTES)
                        .beyond(1.25),
                RuleCase.over(
                        Practice.T7,
                        Threshold.POINT_QUERIES,
                        5,
                        ADVICE,
                        (t, value) -> t.run(50, 20, i -> {
                            t.add(row(i));
                            t.page(hits(i, value) ? "point" : "partition", "PartitionKey eq ?", 1, 1, false, 2, 2, 100);
                        })),
                RuleCase.under(Practice.T8, Threshold.DENSITY, 1, ADVICE, (t, value) -> {
                            fill(t);
                            t.run(50, 20, i -> t.page("partition", "age ge ?", step(i, value), 100, false, 2, 2, 100));
                        })
                        .beyond(1.02),
                RuleCase.over(
                        Practice.T8,
                        Threshold.EMPTY_PAGES,
                        20,
                        ADVICE,
                        (t, value) -> t.run(
                                50,
                                20,
                                i -> t.page("partition", "age ge ?", hits(i, value) ? 0 : 50, 50, false, 2, 2, 100))),
                RuleCase.over(
                        Practice.T10,
                        Threshold.WIDE_ROWS,
                        50,
                        ADVICE,
                        (t, value) -> t.run(
                                50,
                                20,
                                i -> t.page("partition", "", 10, 10, false, hits(i, value) ? 0 : 2, 2, 20_000))),
                RuleCase.over(
                        Practice.T10,
                        Threshold.ROW_BYTES,
                        1_024,
                        ADVICE,
                        (t, value) -> t.run(
                                50, 20, i -> t.page("partition", "", 10, 10, false, 0, 2, Math.round(value * 10)))),
                RuleCase.under(Practice.T11, Threshold.DENSITY, 1, ADVICE, (t, value) -> {
                            fill(t);
                            t.run(50, 20, i -> t.page("partition", "age ge ?", step(i, value), 100, false, 2, 2, 100));
                        })
                        .beyond(1.02),
                RuleCase.over(Practice.T11, Threshold.SPARSE_QUERIES, 1, ADVICE, (t, value) -> {
                            fill(t);
                            t.run(LONG, value / 60, i -> {
                                t.add(row(i));
                                t.page("partition", "age ge ?", 1, 1_000, false, 2, 2, 100);
                            });
                        })
                        .in(TEN_MINUTES)
                        .beyond(1.25));
    }

    private static Stream<RuleCase> ofQueues() {
        return Stream.of(
                RuleCase.over(
                        Practice.Q1,
                        Threshold.QUEUE_MESSAGES,
                        1_200,
                        ADVICE,
                        (t, value) -> t.run(50, value, i -> t.add(send(500)))),
                perThousand(Practice.Q1, Threshold.THROTTLED, 1, ADVICE, i -> send(500), i -> send(500)
                        .throttled()),
                perThousand(Practice.Q1, Threshold.THROTTLED_OFTEN, 10, WARNING, i -> send(500), i -> send(500)
                        .throttled()),
                RuleCase.over(
                        Practice.Q3,
                        Threshold.MESSAGE_BYTES,
                        49_152,
                        ADVICE,
                        (t, value) -> t.run(50, 20, i -> t.add(send(Math.round(value))))),
                RuleCase.over(
                        Practice.Q4,
                        Threshold.SINGLE_RECEIVES,
                        50,
                        ADVICE,
                        (t, value) -> t.run(50, 20, i -> t.add(hits(i, value) ? receive(1, 1) : receive(32, 20)))),
                RuleCase.over(
                                Practice.Q4,
                                Threshold.POLL_RATE,
                                1,
                                ADVICE,
                                (t, value) -> t.run(LONG, value, i -> t.add(receive(1, 1))))
                        .in(TEN_MINUTES),
                RuleCase.over(
                        Practice.Q5,
                        Threshold.EMPTY_RECEIVES,
                        90,
                        ADVICE,
                        (t, value) -> t.run(50, 20, i -> t.add(hits(i, value) ? receive(32, 0) : receive(32, 20)))),
                RuleCase.over(
                                Practice.Q5,
                                Threshold.POLL_RATE,
                                1,
                                ADVICE,
                                (t, value) -> t.run(LONG, value, i -> t.add(receive(32, 0))))
                        .in(TEN_MINUTES),
                RuleCase.over(
                        Practice.Q6,
                        Threshold.LOST_LEASES,
                        0.1,
                        WARNING,
                        (t, value) -> t.run(50, 200, i -> {
                            t.add(receive(1, 1));
                            t.delivery(hits(i, value) ? ConsumerEvent.Result.LOST : ConsumerEvent.Result.COMPLETED);
                        })));
    }
}
