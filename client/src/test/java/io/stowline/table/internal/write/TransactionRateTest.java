package io.stowline.table.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.Operations;
import io.stowline.transport.ScalabilityTargets;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rate targets of a partition and of an account, as transactions use them up. */
class TransactionRateTest {

    private static final ScalabilityTargets TARGETS = ScalabilityTargets.everywhere();

    private static void send(Bench bench, TableOperations client, String partition, int entities) {
        List<EncodedOperation> operations = IntStream.range(0, entities)
                .mapToObj(i -> Operations.operation(EntityVerb.INSERT, partition, "r" + i, "text"))
                .toList();
        bench.start(new TransactionWrite(client, bench.pipeline(), operations, null, null).send());
    }

    @ParameterizedTest(name = "{0} transactions of {1} entities")
    @CsvSource({"30, 100", "300, 10"})
    @DisplayName("PERMIT-2: a transaction uses up the target of its partition by its entities, not by its request")
    void partition(int transactions, int entities) {
        Bench bench = Bench.below(
                Service.TABLE, TARGETS.toBuilder().partitionEntities(1_000).build());
        bench.wire().otherwise(400, Bench.jsonError("InvalidInput", "text"));
        TableOperations operations = Operations.client(bench.pipeline());
        for (int i = 0; i < transactions; i++) {
            send(bench, operations, "p", entities);
        }

        assertThat(bench.wire().sent()).as("a second's entities at once").hasSize(1_000 / entities);
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.wire().sent()).as("after a second").hasSize(2_000 / entities);
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.wire().sent()).as("after two").hasSize(3_000 / entities);
    }

    @ParameterizedTest(name = "{0} transactions of {1} entities")
    @CsvSource({"200, 100", "2000, 10"})
    @DisplayName(
            "PERMIT-3, T1: transactions ramp up by their entities: at each moment fewer have passed than the rates sum"
                    + " up to")
    void ramp(int transactions, int entities) {
        Duration ramp = Duration.ofMinutes(1);
        Bench bench = Bench.below(
                Service.TABLE,
                TARGETS.toBuilder().partitionEntities(500).rampOver(ramp).build());
        bench.wire().otherwise(400, Bench.jsonError("InvalidInput", "text"));
        TableOperations operations = Operations.client(bench.pipeline());
        for (int i = 0; i < transactions; i++) {
            send(bench, operations, "p", entities);
        }
        bench.pass(ramp);

        for (int i = 0; i < bench.wire().sent().size(); i++) {
            double seconds = bench.wire().sent().get(i).at().toNanos() / 1e9;
            assertThat((i + 1) * (double) entities)
                    .isLessThanOrEqualTo(500 * (0.1 * seconds + 0.45 * seconds * seconds / 60) + 1e-6);
        }
        assertThat(bench.wire().sent()).as("500 * 60 * 0.55 entities").hasSize(16_500 / entities);
    }

    @Test
    @DisplayName("PERMIT-2: transactions of many partitions use up the target of the account by their entities")
    void account() {
        Bench bench = Bench.below(
                Service.TABLE, TARGETS.toBuilder().accountEntities(1_000).build());
        bench.wire().otherwise(400, Bench.jsonError("InvalidInput", "text"));
        TableOperations operations = Operations.client(bench.pipeline());
        for (int i = 0; i < 20; i++) {
            send(bench, operations, "p" + i, 100);
        }

        assertThat(bench.wire().sent()).hasSize(10);
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.wire().sent()).hasSize(20);
    }
}
