package io.stowline.table.internal.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.OperationEncoder;
import io.stowline.table.internal.request.Operations;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JournalRecordTest {

    private static final String MARK = "0d7c1f9a-0000-4000-8000-000000000000";
    private static final Instant NOW = Instant.parse("2024-02-29T12:00:00Z");

    private static JournalRecord record(EncodedOperation operation) {
        return JournalRecord.of(operation, NOW, Duration.ofSeconds(35));
    }

    @Provide
    Arbitrary<String> keys() {
        return Arbitraries.strings()
                .withChars("abcXYZ019 '\"%+:ä語\uD83D\uDE00")
                .ofMaxLength(20)
                .filter(key -> StandardCharsets.UTF_8.newEncoder().canEncode(key));
    }

    @Property(tries = 200)
    @Label("BATCH-15: what is read from the journal is sent as it would have been, wherever the table is now")
    void isSentAsItWouldHaveBeen(
            @ForAll EntityVerb verb,
            @ForAll("keys") String partitionKey,
            @ForAll("keys") String rowKey,
            @ForAll boolean marked) {
        EncodedOperation plain = Operations.operation(verb, partitionKey, rowKey, "text " + rowKey);
        EncodedOperation operation = marked && plain.markable() ? plain.marked(MARK) : plain;
        OperationEncoder elsewhere = new OperationEncoder("notes", "http://elsewhere:1/account/notes");

        JournalRecord read = JournalRecord.of(record(operation).bytes(), Operations.encoder());
        JournalRecord moved = JournalRecord.of(record(operation).bytes(), elsewhere);

        assertThat(Operations.part(read.operation())).isEqualTo(Operations.part(operation));
        assertThat(read.operation().marker()).isEqualTo(operation.marker());
        assertThat(read.operation().markable()).isEqualTo(operation.markable());
        assertThat(read.operation().bound()).isEqualTo(operation.bound());
        assertThat(read.written()).isEqualTo(NOW);
        assertThat(read.allowed()).isEqualTo(Duration.ofSeconds(35));
        assertThat(moved.operation().url()).startsWith("http://elsewhere:1/account/notes");
        assertThat(moved.operation().body()).isEqualTo(operation.body());
    }

    @Test
    @DisplayName("T6: what opens the account, and where it is, is not in a record")
    void holdsNoAddressAndNoCredential() {
        OperationEncoder signed = new OperationEncoder("notes", "https://acct.table.core.windows.net/notes?sig=secret");
        EncodedOperation operation =
                signed.encode(EntityVerb.INSERT, new Operations.Note("p", "r", "t"), Operations.CODEC, null);

        assertThat(new String(record(operation).bytes(), StandardCharsets.ISO_8859_1))
                .doesNotContain("secret")
                .doesNotContain("acct")
                .contains("\"Text\":\"t\"");
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        byte[] bytes = record(Operations.insert("r")).bytes();
        byte[] later = bytes.clone();
        later[0] = 9;
        byte[] verb = bytes.clone();
        verb[1] = '?';

        assertThatIllegalArgumentException()
                .isThrownBy(() -> JournalRecord.of(later, Operations.encoder()))
                .withMessageContaining("form 9");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JournalRecord.of(verb, Operations.encoder()))
                .withMessageContaining("verb ?");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JournalRecord.of(Arrays.copyOf(bytes, 10), Operations.encoder()))
                .withMessageContaining("ends too early");
    }
}
