package io.stowline.benchmarks.side.bare;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.netty.buffer.ByteBuf;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Order;
import io.stowline.benchmarks.side.work.Orders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Point reads, parsed by hand into the same record. */
public final class BareRead implements BareExchange {

    private static final int OK = 200;
    private static final String REST = String.join(
            "\r\n",
            "') HTTP/1.1",
            "Host: 127.0.0.1",
            "Accept: application/json;odata=nometadata",
            "x-ms-version: 2019-02-02",
            "DataServiceVersion: 3.0",
            "Authorization: SharedKey acct:bm90aGluZyBpcyBjaGVja2VkIGhlcmU=",
            "x-ms-date: Sat, 21 Nov 2026 03:48:35 GMT",
            "",
            "");

    private final JsonFactory json = new JsonFactory();
    private final Map<String, String> fields = new HashMap<>();
    private final String account;
    private final int rows;
    private byte[] text = new byte[4 * 1024];
    private long requested;

    public BareRead(Account account, int rows) {
        this.account = account.name();
        this.rows = rows;
    }

    @Override
    public void request(ByteBuf out) {
        long n = requested++ % rows;
        ascii(out, "GET /");
        ascii(out, account);
        ascii(out, "/" + Account.READ + "(PartitionKey='");
        ascii(out, Orders.partition(n));
        ascii(out, "',RowKey='");
        ascii(out, Orders.row(n));
        ascii(out, REST);
    }

    @Override
    public int response(int status, ByteBuf body) {
        if (status != OK) {
            throw new IllegalStateException("a read was answered with " + status);
        }
        int length = body.readableBytes();
        if (length > text.length) {
            text = new byte[2 * length];
        }
        body.readBytes(text, 0, length);
        return order(length).quantity() > 0 ? 1 : 0;
    }

    private Order order(int length) {
        try (JsonParser parser = json.createParser(text, 0, length)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                fields.put(name, parser.getText());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Order(
                field("PartitionKey"),
                field("RowKey"),
                field("customer"),
                field("address"),
                field("items"),
                field("comment"),
                field("carrier"),
                Integer.parseInt(field("quantity")),
                Long.parseLong(field("number")),
                Double.parseDouble(field("total")),
                Boolean.parseBoolean(field("paid")),
                Instant.parse(field("placed")));
    }

    private String field(String name) {
        return Objects.requireNonNull(fields.get(name), name);
    }

    private static void ascii(ByteBuf out, String text) {
        out.writeCharSequence(text, StandardCharsets.US_ASCII);
    }
}
