package io.stowline.table.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.table.internal.writer.QueuedWrite;
import io.stowline.table.internal.writer.WriteCounters;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ChangeSetBodyTest {

    private static final String MARK = "00000000-0000-0000-0000-000000000001";

    @Provide
    static Arbitrary<List<EncodedOperation>> batches() {
        return Combinators.combine(Arbitraries.of(EntityVerb.class), Texts.keys(), Texts.keys(), Texts.texts())
                .as(Operations::operation)
                .flatMap(operation -> Arbitraries.of(operation, operation.marked(MARK)))
                .list()
                .ofMinSize(1)
                .ofMaxSize(20);
    }

    @Property(tries = 300)
    @Label("BATCH-3: the predicted size is the real one, to the byte")
    void predictedSizeIsExact(@ForAll("batches") List<EncodedOperation> operations) {
        int predicted = ChangeSetBody.ENVELOPE
                + operations.stream().mapToInt(ChangeSetBody::size).sum();

        ChangeSetBody body = ChangeSetBody.of(operations);

        assertThat(body.length()).isEqualTo(predicted);
        assertThat(body.bytes()).hasSize(predicted).isEqualTo(body.bytes());
    }

    @Property(tries = 100)
    @Label("BATCH-3: every operation stands in the body once, in its order, each behind a boundary")
    void holdsAllOperations(@ForAll("batches") List<EncodedOperation> operations) {
        ChangeSetBody body = ChangeSetBody.of(operations);
        String id = body.contentType().substring("multipart/mixed; boundary=batch_".length());
        StringBuilder expected = new StringBuilder(
                "--batch_" + id + "\r\n" + "Content-Type: multipart/mixed; boundary=changeset_" + id + "\r\n\r\n");
        for (EncodedOperation operation : operations) {
            expected.append("--changeset_").append(id).append("\r\n");
            expected.append(Operations.part(operation));
        }
        expected.append("--changeset_")
                .append(id)
                .append("--\r\n--batch_")
                .append(id)
                .append("--\r\n");

        assertThat(new String(body.bytes(), StandardCharsets.UTF_8)).isEqualTo(expected.toString());
    }

    @Test
    void canBeWrittenIntoTheMiddleOfABuffer() {
        ChangeSetBody body = ChangeSetBody.of(List.of(Operations.insert("r"), Operations.insert("s")));
        byte[] buffer = new byte[body.length() + 10];
        body.write(buffer, 5);

        assertThat(Arrays.copyOfRange(buffer, 5, 5 + body.length())).isEqualTo(body.bytes());
        assertThat(Arrays.copyOf(buffer, 5)).containsOnly(0);
        assertThat(Arrays.copyOfRange(buffer, 5 + body.length(), buffer.length)).containsOnly(0);
    }

    @Test
    @DisplayName(
            "a hundred entities of a usual size need no array besides the request's buffer; a body near the limit goes"
                    + " in slices")
    void onlyLongBodiesAreSliced() {
        assertThat(ChangeSetBody.of(hundred(2_000)).sliced()).isFalse();
        assertThat(ChangeSetBody.of(hundred(3_000)).sliced()).isTrue();
    }

    private static List<EncodedOperation> hundred(int characters) {
        return IntStream.range(0, 100)
                .mapToObj(row -> Operations.operation(
                        EntityVerb.INSERT_OR_REPLACE, "p", Integer.toString(row), "x".repeat(characters)))
                .toList();
    }

    @Test
    void everyBatchHasItsOwnBoundary() {
        List<EncodedOperation> operations = List.of(Operations.insert("r"));

        assertThat(ChangeSetBody.of(operations).contentType())
                .isNotEqualTo(ChangeSetBody.of(operations).contentType())
                .matches("multipart/mixed; boundary=batch_[0-9a-f-]{36}");
    }

    @Test
    @DisplayName("BATCH-3: the engine is told the same size")
    void descriptorTellsTheSameSize() {
        EncodedOperation operation = Operations.insert("r");
        QueuedWrite item = new QueuedWrite(Operations.client(null), operation, new WriteCounters());

        assertThat(new QueuedWrite.Descriptor().size(item)).isEqualTo(ChangeSetBody.size(operation));
    }
}
