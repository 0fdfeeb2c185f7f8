package io.stowline.transport.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.transport.internal.account.Service;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestTargetTest {

    @Test
    void textOfEachKind() {
        assertThat(RequestTarget.ofAccount("tables").resource()).isEqualTo("tables");
        assertThat(RequestTarget.of("orders").resource()).isEqualTo("orders");
        assertThat(RequestTarget.of("orders", "orders(id)").resource()).isEqualTo("orders(id)");
        assertThat(RequestTarget.named("photos", "a/b.jpg", null).resource()).isEqualTo("photos/a/b.jpg");
        assertThat(new RequestTarget("runners", "p", "r", "point", null).resource())
                .isEqualTo("runners(p, r)");
    }

    @ParameterizedTest
    @DisplayName("the address of an SDK client's request shows its target")
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "BLOB|https://acct.blob.core.windows.net/photos/a%20b%2F1.jpg?comp=block|photos|a b/1.jpg|-",
                "BLOB|https://acct.blob.core.windows.net/photos?restype=container|photos|-|-",
                "BLOB|https://acct.blob.core.windows.net/photos/|photos|-|-",
                "BLOB|https://acct.blob.core.windows.net/?comp=list|''|-|-",
                "BLOB|https://acct.blob.core.windows.net|''|-|-",
                "BLOB|http://127.0.0.1:10000/acct/photos/c++.txt|photos|c++.txt|-",
                "BLOB|http://127.0.0.1:10000/acct?comp=list|''|-|-",
                "BLOB|https://acct.blob.core.windows.net/acct/x|acct|x|-",
                "BLOB|https://acct.blob.core.windows.net/photos/100%|photos|100%|-",
                "QUEUE|https://acct.queue.core.windows.net/orders/messages/id?popreceipt=x|orders|-|-",
                "TABLE|https://acct.table.core.windows.net/runners(PartitionKey='O''Neil',RowKey='7%20b')|runners|O'Neil|7"
                        + " b",
                "TABLE|https://acct.table.core.windows.net/runners(RowKey='r',PartitionKey='p')|runners|p|r",
                "TABLE|https://acct.table.core.windows.net/runners()?$filter=x|runners|-|-",
                "TABLE|https://acct.table.core.windows.net/Tables('runners')|''|-|-",
                "TABLE|https://acct.table.core.windows.net/$batch|''|-|-",
                "TABLE|https://acct.table.core.windows.net/runners(PartitionKey='p|runners|-|-",
            })
    void address(Service service, String url, String container, String partition, String row) {
        RequestTarget target = RequestTarget.inAddress(url, "acct", service, "text");

        assertThat(target.container()).isEqualTo(container);
        assertThat(target.partition()).isEqualTo(partition);
        assertThat(target.row()).isEqualTo(row);
        assertThat(target.resource()).isEqualTo("text");
    }
}
