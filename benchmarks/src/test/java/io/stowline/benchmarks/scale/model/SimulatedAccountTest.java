package io.stowline.benchmarks.scale.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.stowline.benchmarks.scale.model.AccountOutage.OutageKind;
import io.stowline.benchmarks.scale.model.ModelResponse.ResponseKind;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The model of the service against theory where there is one, and its splits and outages. */
class SimulatedAccountTest {

    private static final ServiceCapacity CAPACITY = ServiceCapacity.standard();
    private static final int TRANSACTION = 100;

    private final EventClock clock = new EventClock();
    private final Map<ResponseKind, Integer> responses = new EnumMap<>(ResponseKind.class);

    /** Sends at exact intervals. */
    private void send(SimulatedAccount account, int partitions, double perSecond, double seconds) {
        double from = clock.seconds();
        for (int i = 0; i < perSecond * seconds; i++) {
            clock.runUntil(from + i / perSecond);
            responses.merge(account.send(i % partitions, TRANSACTION).kind(), 1, Integer::sum);
        }
    }

    private int responses(ResponseKind kind) {
        return responses.getOrDefault(kind, 0);
    }

    private SimulatedAccount account(int partitions, int ranges) {
        return new SimulatedAccount(clock, CAPACITY, partitions, ranges, null);
    }

    @ParameterizedTest
    @CsvSource({"0.3", "0.5", "0.7"})
    void aServerIsAnMD1Queue(double load) {
        AccountWorkload work =
                new AccountWorkload(1, 64, 1, TRANSACTION, second -> load * CAPACITY.server(), 0, null, 4_000, 100);
        RunFigures figures = new AccountRun(CAPACITY, ComparedPolicy.SDK_STORAGE, work, 1, 0)
                .run()
                .figures();

        double service = 1_000.0 * TRANSACTION / CAPACITY.server();
        double wait = load * service / (2 * (1 - load));
        assertThat(figures.meanLatencyMillis())
                .isCloseTo(1_000 * CAPACITY.roundTripSeconds() + service + wait, within(0.04 * (service + wait)));
        assertThat(figures.goodput() * TRANSACTION)
                .isCloseTo(load * CAPACITY.server(), within(0.03 * CAPACITY.server()));
    }

    @ParameterizedTest
    @CsvSource({"1, 22.7", "2, 25", "8, 25", "20, 25"})
    void aClosedLoopIsBoundedByItsWorkersOrTheServer(int workers, double perSecond) {
        // One server, so that the account's target bounds nothing; the workers go round, so that no partition's does.
        SimulatedAccount account = account(64, 1);
        int[] done = new int[1];
        for (int i = 0; i < workers; i++) {
            loop(account, i, done);
        }
        clock.runUntil(50);

        assertThat(done[0] / 50.0).isCloseTo(perSecond, within(0.5));
    }

    private void loop(SimulatedAccount account, int partition, int[] done) {
        ModelResponse response = account.send(partition, TRANSACTION);
        clock.at(response.at(), () -> {
            done[0] += response.kind() == ResponseKind.DONE ? 1 : 0;
            loop(account, (partition + 1) % 64, done);
        });
    }

    @Test
    void anAccountLetsItsTargetThrough() {
        send(account(64, 32), 64, 1.5 * CAPACITY.account() / TRANSACTION, 20);

        // Refusals cost a twentieth of a request: x + 0.05 (300 - x) = 200.
        assertThat(responses(ResponseKind.DONE) / 20.0).isCloseTo(194.7, within(11.0));
        assertThat(responses(ResponseKind.PARTITION_BUSY)).isZero();
    }

    @Test
    void aPartitionLetsItsTargetThrough() {
        send(account(1, 1), 1, 22, 40);

        assertThat(responses(ResponseKind.DONE) * TRANSACTION / 40.0).isCloseTo(CAPACITY.partition(), within(60.0));
        assertThat(responses(ResponseKind.PARTITION_BUSY)).isPositive();
    }

    @Test
    void aBusyRangeSplitsAfterItsTimeAndMovesHalfOfIt() {
        SimulatedAccount account = account(64, 1);
        send(account, 64, 24, 119);
        assertThat(account.ranges()).isEqualTo(1);
        assertThat(responses).containsOnlyKeys(ResponseKind.DONE);

        send(account, 64, 24, 3);
        assertThat(account.ranges()).isEqualTo(2);
        int moving = responses(ResponseKind.PARTITION_BUSY);
        assertThat(moving).isPositive();
        send(account, 64, 24, 20);

        assertThat(account.splits()).isEqualTo(1);
        assertThat(responses(ResponseKind.PARTITION_BUSY)).isBetween(50, 70);
    }

    @Test
    void aRangeOfOnePartitionDoesNotSplit() {
        SimulatedAccount account = account(1, 1);

        send(account, 1, 30, 300);

        assertThat(account.splits()).isZero();
    }

    @Test
    void idleRangesBecomeOne() {
        SimulatedAccount account = account(64, 8);

        send(account, 64, 4, 700);

        assertThat(account.ranges()).isEqualTo(4);
        assertThat(account.merges()).isEqualTo(4);
    }

    @Test
    void anOutageFailsOrIsSilent() {
        SimulatedAccount failing =
                new SimulatedAccount(clock, CAPACITY, 64, 8, new AccountOutage(OutageKind.FAILING, 0, 10));
        SimulatedAccount silent =
                new SimulatedAccount(clock, CAPACITY, 64, 8, new AccountOutage(OutageKind.SILENT, 0, 10));

        assertThat(failing.send(0, TRANSACTION))
                .isEqualTo(new ModelResponse(ResponseKind.FAILED, EventClock.nanos(CAPACITY.roundTripSeconds())));
        assertThat(silent.send(0, TRANSACTION)).isEqualTo(new ModelResponse(ResponseKind.RESET, EventClock.nanos(10)));
        clock.runUntil(10);
        assertThat(failing.send(0, TRANSACTION).kind()).isEqualTo(ResponseKind.DONE);
        assertThat(silent.send(0, TRANSACTION).kind()).isEqualTo(ResponseKind.DONE);
    }

    @Test
    void aServerThatOnlyRefusesDropsTheRestWithoutWork() {
        send(account(1, 1), 1, 10_000, 5);
        responses.clear();
        clock.runUntil(clock.seconds() + 2.1);

        assertThat(account(1, 1).send(0, TRANSACTION).kind()).isEqualTo(ResponseKind.DONE);
    }
}
