package io.stowline.benchmarks.scale;

import io.stowline.benchmarks.scale.model.AccountOutage;
import io.stowline.benchmarks.scale.model.AccountOutage.OutageKind;
import io.stowline.benchmarks.scale.model.AccountWorkload;
import io.stowline.benchmarks.scale.model.ComparedPolicy;
import io.stowline.benchmarks.scale.model.ServiceCapacity;
import io.stowline.transport.StorageLimits;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;

/** A scenario of the simulator: the work of each account, and the number of accounts. */
public enum ScaleScenario {
    HALF("50 % of the target", 250, 60, 20),
    BUSY("90 % of the target", 250, 60, 20),
    OVERLOAD("150 % of the target", 4, 240, 140),
    SINGLES("150 % of the target, single entities", 1, 40, 20),
    HOT_PARTITION("one hot partition", 4, 300, 140),
    RAMP("a ramp of 5 minutes that forces splits", 2, 1_080, 0),
    SLOW_RAMP("a ramp of 25 minutes", 2, 2_000, 0),
    FAILING_OUTAGE("an outage with 500 for 5 minutes", ScaleScenario.REGION_ACCOUNTS, 780, 60),
    SILENT_OUTAGE("an outage without responses for 5 minutes", ScaleScenario.REGION_ACCOUNTS, 780, 60);

    /** The seconds of the outages: five minutes after one minute of work. */
    static final int OUTAGE_BEGINS = 60;

    static final int OUTAGE_ENDS = 360;

    /** The accounts of a region with an outage. */
    private static final int REGION_ACCOUNTS = 10;

    /** The clients of an account. */
    static final int CLIENTS = 40;

    private static final int PARTITIONS = 64;
    private static final int SERVERS = 8;
    private static final int TRANSACTION = 100;
    private static final double OUTAGE_LOAD = 0.7;
    private static final double OTHERS_OF_HOT = 0.4;
    private static final double HOT_LOAD = 3;
    private static final double RAMP_FROM = 0.04;
    private static final double RAMP_TO = 0.8;
    private static final int RAMP_SECONDS = 300;
    private static final int SLOW_RAMP_SECONDS = 1_500;

    private final String title;
    private final int accounts;
    private final int seconds;
    private final int measuredFrom;

    ScaleScenario(String title, int accounts, int seconds, int measuredFrom) {
        this.title = title;
        this.accounts = accounts;
        this.seconds = seconds;
        this.measuredFrom = measuredFrom;
    }

    /** The size of the runs. */
    public enum RunSize {
        /** All accounts with 40 clients each. */
        FULL(1, 1, CLIENTS),
        /** One account with ten clients, a sixth as long, for tests. */
        SMALL(250, 6, 10);

        private final int accountsDivisor;
        private final int secondsDivisor;
        private final int clients;

        RunSize(int accountsDivisor, int secondsDivisor, int clients) {
            this.accountsDivisor = accountsDivisor;
            this.secondsDivisor = secondsDivisor;
            this.clients = clients;
        }

        int seconds(int full) {
            return full / secondsDivisor;
        }
    }

    String title() {
        return title;
    }

    int accounts(RunSize size) {
        return Math.max(1, accounts / size.accountsDivisor);
    }

    /** Returns the requests in a second that the accounts of a failing region are made for. */
    double targetOfRegion() {
        return (double) accounts(RunSize.FULL) * StorageLimits.ACCOUNT_REQUESTS_PER_SECOND / TRANSACTION;
    }

    boolean hasOutage() {
        return this == FAILING_OUTAGE || this == SILENT_OUTAGE;
    }

    /** Returns the outage of the failing region. */
    AccountOutage outage(RunSize size) {
        OutageKind kind = this == SILENT_OUTAGE ? OutageKind.SILENT : OutageKind.FAILING;
        return new AccountOutage(kind, size.seconds(OUTAGE_BEGINS), size.seconds(OUTAGE_ENDS));
    }

    /** Returns the scenarios of this size. */
    static Set<ScaleScenario> of(RunSize size) {
        return size == RunSize.FULL
                ? EnumSet.allOf(ScaleScenario.class)
                : EnumSet.of(OVERLOAD, HOT_PARTITION, FAILING_OUTAGE, SILENT_OUTAGE);
    }

    /** Single entities are a hundred times as many requests, so that only the policies with a bound of their retries are run. */
    Set<ComparedPolicy> policies() {
        return this == SINGLES || this == SLOW_RAMP
                ? EnumSet.of(ComparedPolicy.SDK_TABLES, ComparedPolicy.STOWLINE, ComparedPolicy.STOWLINE_RATED)
                : EnumSet.allOf(ComparedPolicy.class);
    }

    AccountWorkload work(RunSize size, ServiceCapacity capacity) {
        return work(size, capacity, size.clients);
    }

    /** Returns the work of an account with so many clients, which share its load. */
    AccountWorkload work(RunSize size, ServiceCapacity capacity, int clients) {
        return new AccountWorkload(
                clients,
                PARTITIONS,
                serversAtFirst(),
                this == SINGLES ? 1 : TRANSACTION,
                rate(size, capacity.account()),
                this == HOT_PARTITION ? HOT_LOAD * capacity.partition() : 0,
                hasOutage() ? outage(size) : null,
                size.seconds(seconds),
                size.seconds(measuredFrom));
    }

    /** Single entities begin with the servers that the other overload has after its splits. */
    private int serversAtFirst() {
        return switch (this) {
            case RAMP, SLOW_RAMP -> 1;
            case SINGLES -> 2 * SERVERS;
            default -> SERVERS;
        };
    }

    private DoubleUnaryOperator rate(RunSize size, int target) {
        return switch (this) {
            case HALF -> steady(0.5 * target);
            case BUSY -> steady(0.9 * target);
            case OVERLOAD, SINGLES -> steady(1.5 * target);
            case HOT_PARTITION -> steady(OTHERS_OF_HOT * target);
            case RAMP -> ramp(target, size.seconds(RAMP_SECONDS));
            case SLOW_RAMP -> ramp(target, size.seconds(SLOW_RAMP_SECONDS));
            case FAILING_OUTAGE, SILENT_OUTAGE -> steady(OUTAGE_LOAD * target);
        };
    }

    private static DoubleUnaryOperator ramp(int target, int seconds) {
        return second -> target * Math.min(RAMP_TO, RAMP_FROM + (RAMP_TO - RAMP_FROM) * second / seconds);
    }

    private static DoubleUnaryOperator steady(double rate) {
        return second -> rate;
    }
}
