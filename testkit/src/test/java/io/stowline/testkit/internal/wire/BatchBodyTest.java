package io.stowline.testkit.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.StorageService;
import io.stowline.testkit.internal.strict.BatchText;
import io.stowline.testkit.internal.strict.BatchText.Operation;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class BatchBodyTest {

    @Property
    @Label("every operation of a change set is found, with its method, its target and its body")
    void findsEveryOperation(@ForAll("operations") List<Operation> operations) {
        BatchBody batch = parsed(BatchText.batch(BatchText.changeSet(operations)));

        assertThat(batch.changeSets()).isEqualTo(1);
        assertThat(batch.complete()).isTrue();
        assertThat(batch.operations()).hasSameSizeAs(operations);
        for (int i = 0; i < operations.size(); i++) {
            assertThat(batch.operations().get(i).method())
                    .isEqualTo(operations.get(i).method());
            assertThat(batch.operations().get(i).address().table())
                    .isEqualTo(operations.get(i).resource());
            assertThat(batch.operations().get(i).body().text(StandardCharsets.UTF_8))
                    .isEqualTo(operations.get(i).body());
            assertThat(batch.operations().get(i).header("if-match")).isEqualTo("*");
        }
    }

    @Property
    @Label("lines that end with LF alone are read the same way")
    void readsLineFeedsAlone(@ForAll("operations") List<Operation> operations) {
        BatchBody batch =
                parsed(BatchText.batch(BatchText.changeSet(operations)).replace("\r\n", "\n"));

        assertThat(batch.operations()).hasSameSizeAs(operations);
    }

    @Property
    @Label("a batch that is cut off anywhere, or is no batch, does no harm")
    void bearsWhatIsCutOff(@ForAll("operations") List<Operation> operations, @ForAll int cut) {
        String whole = BatchText.batch(BatchText.changeSet(operations));

        BatchBody batch = parsed(whole.substring(0, Math.floorMod(cut, whole.length())));

        assertThat(batch.operations().size()).isLessThanOrEqualTo(operations.size());
    }

    @Provide
    Arbitrary<List<Operation>> operations() {
        Arbitrary<String> methods = Arbitraries.of("POST", "PUT", "MERGE", "PATCH", "DELETE");
        Arbitrary<String> tables = Arbitraries.strings().alpha().ofMinLength(1).ofMaxLength(8);
        Arbitrary<String> bodies = Arbitraries.of(
                "{}", "", "{\"a\":\"--changeset\"}", "{\r\n\"a\":1\r\n}", "{\"é\":\"\uD83D\uDE00\"}", "a\n--b");
        return Combinators.combine(methods, tables, bodies)
                .as((method, table, body) -> new Operation(method, table, List.of("If-Match: *"), body))
                .list()
                .ofMinSize(1)
                .ofMaxSize(20);
    }

    @Test
    void tellsQueriesAndChangeSetsApart() {
        BatchBody batch = parsed(BatchText.batch(
                BatchText.query(BatchText.get("T(PartitionKey='p',RowKey='r')")),
                BatchText.changeSet(List.of()),
                BatchText.changeSet(List.of(BatchText.insert("T", "p", "r")))));

        assertThat(batch.queries()).isEqualTo(1);
        assertThat(batch.changeSets()).isEqualTo(2);
        assertThat(batch.emptyChangeSets()).isEqualTo(1);
        assertThat(batch.operations()).hasSize(2);
    }

    @Test
    void knowsIncompleteBatches() {
        String whole = BatchText.batch(BatchText.changeSet(List.of(BatchText.insert("T", "p", "r"))));

        assertThat(parsed(whole).complete()).isTrue();
        assertThat(parsed(whole.substring(0, whole.lastIndexOf("--batch"))).complete())
                .isFalse();
        assertThat(parsed(whole.replace("POST ", "")).complete()).isFalse();
    }

    @Test
    void readsTheBoundaryWhereverItStands() {
        assertThat(BatchBody.boundary("multipart/mixed; boundary=\"b 1\"; charset=utf-8"))
                .contains("b 1");
        assertThat(BatchBody.boundary("multipart/mixed;Boundary=b")).contains("b");
        assertThat(BatchBody.boundary("application/json")).isEmpty();
    }

    private static BatchBody parsed(String body) {
        StorageRequest call = StorageRequest.of(BatchText.probe(body).toRequest(Instant.EPOCH), StorageService.TABLE);
        return BatchBody.of(call).orElseThrow(() -> new AssertionError("no batch: " + body));
    }
}
