package io.stowline.table.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.table.internal.codec.OutboxKey;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutboxHintTest {

    private static final String ID = "0b2a5b0e-2a37-4a6c-9d6b-0d9f8f6d2a11";

    @Property
    @Label("a hint is read as it was written, whatever the partition key")
    void roundTrip(@ForAll String partitionKey) {
        OutboxHint hint = new OutboxHint("orders", ID, partitionKey);

        assertThat(OutboxHint.parse(hint.text())).isEqualTo(hint);
    }

    @Property
    @Label("the key of a message sorts by its number and gives its transaction")
    void keys(@ForAll @IntRange(min = 0, max = 98) int number) {
        String key = new OutboxKey(ID, number).text();

        assertThat(OutboxKey.idOf(key)).isEqualTo(ID);
        assertThat(OutboxKey.isOf(key)).isTrue();
        assertThat(key).startsWith(OutboxKey.prefix(ID)).isLessThan(new OutboxKey(ID, number + 1).text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1/", "1/orders", "1/orders/id", "1/orders//p", "2/orders/id/p", "hello"})
    void anotherTextIsNoHint(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OutboxHint.parse(text))
                .withMessage("a message of the queue stowline-outbox is no hint of an outbox");
    }
}
