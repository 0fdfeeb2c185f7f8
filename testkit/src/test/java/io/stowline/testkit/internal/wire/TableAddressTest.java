package io.stowline.testkit.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.internal.strict.Sas;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableAddressTest {

    @Property
    @Label("any two keys are read back out of an address")
    void readsKeysBack(@ForAll String partitionKey, @ForAll String rowKey) {
        String path = "/account/T(PartitionKey='" + quoted(partitionKey) + "',RowKey='" + quoted(rowKey) + "')";

        TableAddress address = TableAddress.of(path);

        assertThat(address.isEntity()).isTrue();
        assertThat(address.table()).isEqualTo("T");
        assertThat(Sas.encoded(String.valueOf(address.partitionKey()))).isEqualTo(Sas.encoded(partitionKey));
        assertThat(Sas.encoded(String.valueOf(address.rowKey()))).isEqualTo(Sas.encoded(rowKey));
    }

    private static String quoted(String key) {
        return Sas.encoded(key.replace("'", "''"));
    }

    @Test
    void takesTheKeysInAnyOrder() {
        TableAddress address = TableAddress.of("/a/T(RowKey='r',%20PartitionKey='p+q')");

        assertThat(address.partitionKey()).isEqualTo("p+q");
        assertThat(address.rowKey()).isEqualTo("r");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "T(PartitionKey='p')",
                "T(PartitionKey='p',PartitionKey='q')",
                "T(PartitionKey='p',RowKey=r)",
                "T(PartitionKey='p',RowKey='r)",
                "T(PartitionKey='p',RowKey='r',Other='o')",
                "T('p')"
            })
    void findsMalformedOnes(String resource) {
        assertThat(TableAddress.of("/a/" + resource).isMalformed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"T", "T()", "T(%20)"})
    void knowsQueries(String resource) {
        assertThat(TableAddress.of("/a/" + resource).isQuery()).isTrue();
        assertThat(TableAddress.of("/a/" + resource).isMalformed()).isFalse();
    }

    @Test
    void knowsTheListOfTables() {
        assertThat(TableAddress.of("/a/Tables('T')").listed()).contains("T");
        assertThat(TableAddress.of("/a/Tables").listed()).isEmpty();
        assertThat(TableAddress.of("/a/Tables").isQuery()).isFalse();
        assertThat(TableAddress.of("/a/$batch").isBatch()).isTrue();
    }
}
