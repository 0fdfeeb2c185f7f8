package io.stowline.table.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BatchBodyTest {

    @Provide
    static Arbitrary<List<EncodedOperation>> batches() {
        return Combinators.combine(Arbitraries.of(Verb.class), Texts.keys(), Texts.keys(), Texts.texts())
                .as(Operations::operation)
                .list()
                .ofMinSize(1)
                .ofMaxSize(20);
    }

    @Property(tries = 300)
    @Label("B3: the predicted size is the real one, to the byte")
    void predictedSizeIsExact(@ForAll("batches") List<EncodedOperation> operations) {
        int predicted = BatchBody.ENVELOPE
                + operations.stream().mapToInt(BatchBody::size).sum();

        assertThat(BatchBody.of(operations).bytes()).hasSize(predicted);
    }

    @Property(tries = 100)
    @Label("B3: every operation stands in the body once, in its order, each behind a boundary")
    void holdsAllOperations(@ForAll("batches") List<EncodedOperation> operations) {
        BatchBody body = BatchBody.of(operations);
        String id = body.contentType().substring("multipart/mixed; boundary=batch_".length());
        StringBuilder expected = new StringBuilder(
                "--batch_" + id + "\r\n" + "Content-Type: multipart/mixed; boundary=changeset_" + id + "\r\n\r\n");
        for (EncodedOperation operation : operations) {
            expected.append("--changeset_").append(id).append("\r\n");
            expected.append(new String(operation.part(), StandardCharsets.UTF_8));
        }
        expected.append("--changeset_")
                .append(id)
                .append("--\r\n--batch_")
                .append(id)
                .append("--\r\n");

        assertThat(new String(body.bytes(), StandardCharsets.UTF_8)).isEqualTo(expected.toString());
    }

    @Test
    void everyBatchHasItsOwnBoundary() {
        List<EncodedOperation> operations = List.of(Operations.insert("r"));

        assertThat(BatchBody.of(operations).contentType())
                .isNotEqualTo(BatchBody.of(operations).contentType())
                .matches("multipart/mixed; boundary=batch_[0-9a-f-]{36}");
    }

    @Test
    @DisplayName("B3: the engine is told the same size")
    void descriptorTellsTheSameSize() {
        EncodedOperation operation = Operations.insert("r");
        LaneItem item = new LaneItem(Operations.client(null), operation, new WriteCounters());

        assertThat(new LaneItem.Descriptor().size(item)).isEqualTo(BatchBody.size(operation));
    }
}
