package io.stowline.table.internal.index.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.table.EntityKey;
import io.stowline.table.internal.writer.JournalRecord;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

class LostReferencesTest {

    @Property(tries = 200)
    @Label("BATCH-15: a note is read as it was written, and is no fence; a shorter one is refused")
    void readAsWritten(@ForAll long operation, @ForAll @Size(max = 9) List<String> keys, @ForAll int end) {
        LostReferences lost = new LostReferences(
                operation,
                keys.stream().map(key -> new EntityKey(key, key + "!")).toList());
        byte[] bytes = lost.bytes();

        assertThat(LostReferences.is(bytes)).isTrue();
        assertThat(JournalRecord.isFence(bytes)).isFalse();
        assertThat(LostReferences.of(bytes)).isEqualTo(lost);
        byte[] shorter = Arrays.copyOf(bytes, 1 + Math.floorMod(end, bytes.length - 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LostReferences.of(shorter))
                .withMessageContaining("too early");
    }

    @Property(tries = 20)
    @Label("BATCH-15: a record of another form is no note")
    void otherForms(@ForAll byte form) {
        byte[] bytes = {form == 101 ? 1 : form, 0};
        assertThat(LostReferences.is(bytes)).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LostReferences.of(bytes))
                .withMessageContaining("form");
    }
}
